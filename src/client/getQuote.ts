import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { formatAmount } from "../internal/amounts.ts";
import { firstIssue } from "../schema/firstIssue.ts";
import { type Quote, quoteSchema } from "../schema/quote.ts";
import { type QuoteCall, type QuoteRequest, quoteRequestSchema } from "../schema/quoteRequest.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./createClient.ts";
import { type RequestErrorType, request } from "./request.ts";

/** A call on the destination chain, with its value in wei. */
export type GetQuoteCall = Omit<QuoteCall, "value"> & { value?: bigint | string | undefined };

/**
 * Parameters of {@link getQuote}: the fields of the wire, but amounts are `bigint` (or the wire's decimal
 * strings).
 */
export type GetQuoteParameters = CallOptions &
  Omit<QuoteRequest, "amount" | "txs"> & {
    /**
     * Smallest units of the input, or of the output, as `tradeType` says. With `txs`: the sum of their
     * values.
     */
    amount: bigint | string;
    /** Calls that the service makes on the destination chain, in order. */
    txs?: readonly GetQuoteCall[] | undefined;
  };

/** What {@link getQuote} returns. */
export type GetQuoteReturnType = Quote;

/** What {@link getQuote} throws. */
export type GetQuoteErrorType = RequestErrorType;

/**
 * Asks for a quote: what the intent costs, and the steps that carry it out (`POST /quote/v2`).
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
  return request(client, {
    body: toQuoteRequest(fields),
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

function toQuoteRequest(fields: Omit<GetQuoteParameters, keyof CallOptions>): QuoteRequest {
  const { amount, txs, ...others } = fields;
  const parsed = quoteRequestSchema.safeParse({
    ...others,
    amount: toWire(amount, "amount"),
    ...(txs === undefined ? {} : { txs: txs.map(toWireCall) }),
  });
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new InvalidParameterError({ parameter: path, reason });
}

/** Calldata and value are always sent: not every server knows what their absence means. */
function toWireCall({ data = "0x", value = 0n, ...call }: GetQuoteCall, index: number): QuoteCall {
  return { ...call, data, value: toWire(value, `txs.${index}.value`) };
}

function toWire(amount: bigint | string, parameter: string): string {
  return typeof amount === "bigint" ? formatAmount(amount, parameter) : amount;
}
