import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import { type QuoteRequest, quoteRequestSchema } from "../schema/quote/quoteRequest.ts";
import type { CallOptions } from "./internal/CallOptions.ts";
import type { Client } from "./internal/Client.ts";
import type { RequestErrorType } from "./internal/request.ts";
import { type IntentAmounts, toQuoteRequest } from "./internal/toQuoteRequest.ts";

/**
 * Parameters of {@link getQuote}: the fields of the wire, but amounts are `bigint` (or the wire's decimal
 * strings).
 */
export type GetQuoteParameters = CallOptions & IntentAmounts & Omit<QuoteRequest, keyof IntentAmounts>;

/** What {@link getQuote} returns. */
export type GetQuoteReturnType = Quote;

/** What {@link getQuote} throws. */
export type GetQuoteErrorType = RequestErrorType;

/**
 * Asks for a quote: what the intent costs, and the steps that carry it out (`POST /quote/v2`).
 *
 * `includeProtocolData` is true unless given: `execute` refuses quotes across chains without the solver's signed order.
 *
 * An answer of more than 1,000,000 bytes is refused, or of more than `maxResponseBytes`.
 *
 * Asking has no side effect, so it is repeated like a read. Amounts in the answer are decimal strings in
 * smallest units; `amountOf` and `minimumAmountOf` read them exactly.
 *
 * @throws GetQuoteErrorType — InvalidParameterError names the field, HttpError carries the service's
 * `errorCode`.
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
  const { retryCount, signal, timeout, ...fields } = parameters;
  return client.request({
    // Across chains, the order that the solver signed is what proves a quote.
    body: toQuoteRequest(quoteRequestSchema, { includeProtocolData: true, ...fields }),
    // Checking a quote of several megabytes would hold up the page for seconds.
    maxResponseBytes: 1_000_000,
    method: "POST",
    operation: "asking for a quote",
    path: "/quote/v2",
    retryCount,
    safe: true,
    schema: quoteSchema,
    signal,
    timeout,
  });
}
