import type * as z from "zod/mini";
import {
  type CurrenciesRequest,
  type CurrenciesV1,
  currenciesRequestSchema,
  currenciesSchema,
  currenciesV1Schema,
  type ListedCurrency,
} from "../schema/chain/currencies.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { chooseVersion, readParameters, type VersionChoice } from "./internal/parameters.ts";

/** The lists of currencies, by version. */
export type CurrenciesByVersion = { v1: CurrenciesV1; v2: ListedCurrency[] };

/** A version of the list of currencies. */
export type CurrenciesVersion = keyof CurrenciesByVersion;

export type GetCurrenciesParameters<Version extends CurrenciesVersion = "v2"> = CallOptions &
  CurrenciesRequest &
  /** Default: `v2`, a flat list; `v1` groups a currency's chains. */
  VersionChoice<Version, "v2">;

export type GetCurrenciesReturnType<Version extends CurrenciesVersion = "v2"> = CurrenciesByVersion[Version];

const schemas: { [Version in CurrenciesVersion]: z.ZodMiniType<CurrenciesByVersion[Version]> } = {
  v1: currenciesV1Schema,
  v2: currenciesSchema,
};

/**
 * Searches currencies (`POST /currencies/v2`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getCurrencies, production } from "waybill/client";
 *
 * const currencies = await getCurrencies(createClient(production), { chainIds: [8453, 10], term: "usdc", verified: true });
 * console.log(currencies.map(({ chainId, address }) => `${chainId}:${address}`));
 */
export async function getCurrencies(
  client: Client,
  parameters?: GetCurrenciesParameters,
): Promise<GetCurrenciesReturnType>;
export async function getCurrencies<Version extends CurrenciesVersion = "v2">(
  client: Client,
  parameters: GetCurrenciesParameters<Version>,
): Promise<GetCurrenciesReturnType<Version>>;
export async function getCurrencies(
  client: Client,
  parameters: GetCurrenciesParameters<CurrenciesVersion> = {},
): Promise<GetCurrenciesReturnType<CurrenciesVersion>> {
  const { retryCount, signal, timeout, version = "v2", ...fields } = parameters;
  const schema = chooseVersion(schemas, version);
  return client.request<z.ZodMiniType<GetCurrenciesReturnType<CurrenciesVersion>>>({
    body: readParameters(currenciesRequestSchema, fields),
    operation: "looking for currencies",
    path: `/currencies/${version}`,
    retryCount,
    safe: true,
    schema,
    signal,
    timeout,
  });
}
