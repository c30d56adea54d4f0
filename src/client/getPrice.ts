import { type Price, type PriceRequest, priceRequestSchema, priceSchema } from "../schema/quote/price.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { splitOptions } from "./internal/parameters.ts";
import { type IntentAmounts, toQuoteRequest } from "./internal/toQuoteRequest.ts";

/** The parameters of a quote that influence its price. */
export type GetPriceParameters = CallOptions & IntentAmounts & Omit<PriceRequest, keyof IntentAmounts>;

export type GetPriceReturnType = Price;

/**
 * Requests the price of an intent, without steps (`POST /price`). Faster than a quote, for showing a price while the
 * user types.
 *
 * @throws RequestErrorType — InvalidParameterError names the field, HttpError carries the service's `errorCode`.
 *
 * @example
 * import { amountOf, createClient, getPrice } from "waybill/client";
 *
 * const native = "0x0000000000000000000000000000000000000000";
 * const price = await getPrice(createClient({ baseUrl: "http://127.0.0.1:4000" }), {
 *   amount: 10n ** 16n,
 *   destinationChainId: 31338,
 *   destinationCurrency: native,
 *   originChainId: 31337,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
 * });
 * console.log(amountOf(price.details.currencyOut));
 */
export async function getPrice(client: Client, parameters: GetPriceParameters): Promise<GetPriceReturnType> {
  const [options, fields] = splitOptions(parameters);
  return client.request({
    ...options,
    body: toQuoteRequest(priceRequestSchema, fields),
    operation: "asking for a price",
    path: "/price",
    safe: true,
    schema: priceSchema,
  });
}
