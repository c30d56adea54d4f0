import { type AppFeeBalances, appFeeBalancesSchema } from "../schema/quote/appFees.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { appFeesPath } from "./internal/parameters.ts";

export type GetAppFeeBalancesParameters = CallOptions & {
  /** Owner of the fees. */
  wallet: string;
};

export type GetAppFeeBalancesReturnType = AppFeeBalances;

/**
 * Reads the app fees that a wallet can claim (`GET /app-fees/{wallet}/balances`).
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getAppFeeBalances, production } from "waybill/client";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const { balances } = await getAppFeeBalances(createClient(production), { wallet });
 * console.log(balances.map(({ amount = "0", currency }) => [currency?.symbol, BigInt(amount)]));
 */
export async function getAppFeeBalances(
  client: Client,
  parameters: GetAppFeeBalancesParameters,
): Promise<GetAppFeeBalancesReturnType> {
  const { wallet, ...options } = parameters;
  return client.request({
    ...options,
    operation: "reading app fees",
    path: appFeesPath(wallet, "balances"),
    schema: appFeeBalancesSchema,
  });
}
