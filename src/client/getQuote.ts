import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import { type QuoteRequest, quoteRequestSchema } from "../schema/quote/quoteRequest.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { splitOptions } from "./internal/parameters.ts";
import { type IntentAmounts, toQuoteRequest } from "./internal/toQuoteRequest.ts";

/** The fields of the wire, but amounts are `bigint` (or the wire's decimal strings). */
export type GetQuoteParameters = CallOptions & IntentAmounts & Omit<QuoteRequest, keyof IntentAmounts>;

export type GetQuoteReturnType = Quote;

/**
 * Requests a quote: the price of an intent, and the steps to execute it (`POST /quote/v2`).
 *
 * `includeProtocolData` defaults to true: `execute` rejects cross-chain quotes without the solver's signed order.
 *
 * The quote is data, and nothing to sign: `execute`, `verifyQuote` and `proveQuote` of `waybill/execute` prove it.
 *
 * Rejects responses of more than 1,000,000 bytes, or of more than `maxResponseBytes`.
 *
 * Retried like a read: a quote has no side effects. Amounts in the response are decimal strings in smallest units;
 * `amountOf` and `minimumAmountOf` parse them exactly.
 *
 * @throws RequestErrorType — InvalidParameterError names the field, HttpError carries the service's `errorCode`.
 *
 * @example
 * import { createClient, getQuote, minimumAmountOf } from "waybill/client";
 *
 * const native = "0x0000000000000000000000000000000000000000";
 * const quote = await getQuote(createClient({ baseUrl: "http://127.0.0.1:4000" }), {
 *   amount: 10n ** 16n,
 *   destinationChainId: 31338,
 *   destinationCurrency: native,
 *   originChainId: 31337,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
 * });
 * console.log(minimumAmountOf(quote.details.currencyOut));
 */
export async function getQuote(client: Client, parameters: GetQuoteParameters): Promise<GetQuoteReturnType> {
  const [options, fields] = splitOptions(parameters);
  return client.request({
    ...options,
    // Across chains, the solver's signed order proves a quote.
    body: toQuoteRequest(quoteRequestSchema, { includeProtocolData: true, ...fields }),
    // Validating a quote of several megabytes would block the page for seconds.
    maxResponseBytes: 1_000_000,
    operation: "asking for a quote",
    path: "/quote/v2",
    safe: true,
    schema: quoteSchema,
  });
}
