import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type QuoteMismatch, QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { startProof } from "./verify/proveQuote.ts";
import type { VerifyQuoteParameters } from "./verify/VerifyQuoteParameters.ts";

/** What {@link verifyQuote} returns. */
export type VerifyQuoteReturnType = Promise<Quote>;

/** What {@link verifyQuote} throws. */
export type VerifyQuoteErrorType = InvalidParameterError | QuoteMismatchError;

/** What {@link findQuoteMismatches} returns. */
export type FindQuoteMismatchesReturnType = Promise<readonly QuoteMismatch[]>;

/**
 * Proves, before anything is signed, that a quote does what was asked for, within the caller's bounds. It fails closed:
 * whatever is not recognised is refused.
 *
 * Across chains, the order that a trusted solver signed is the proof of the output, and the payment must end in one deposit of
 * the order's input that cannot fail. On one chain, the chain enforces the output: send the quote that is returned, in which
 * `OutputGuard` follows the calls of the router. `docs/execute.md` has a table of what is proven by what.
 *
 * @param parameters The quote, what was asked for, the caller's bounds, and what is trusted.
 * @returns The quote to carry out, in place of the one that was given.
 * @throws {QuoteMismatchError} For the first difference, with `code`, `path`, `expected` and `actual`, and all others.
 * @throws {InvalidParameterError} When the quote, `request` or the policy cannot be read, or `request` names a currency by its id:
 *   the API says what an id stands for, so pass the address.
 *
 * @example
 * import type { GetQuoteParameters, Quote } from "waybill/client";
 * import { type TrustRoots, verifyQuote } from "waybill/execute";
 *
 * declare const quote: Quote;
 * declare const request: GetQuoteParameters;
 * declare const trust: TrustRoots;
 * const proven = await verifyQuote({ minimumOutput: 9_000_000n, quote, request, trust });
 * console.log(proven.steps.length);
 */
export async function verifyQuote(parameters: VerifyQuoteParameters): VerifyQuoteReturnType {
  const prove = await startProof(parameters);
  const { found, quote } = await prove([]);
  const [first, ...others] = found;
  if (first !== undefined) throw new QuoteMismatchError([first, ...others]);
  return quote;
}

/**
 * The same as `verifyQuote`, with everything that differs in a list.
 *
 * @param parameters The quote, what was asked for, the caller's bounds, and what is trusted.
 * @returns All differences; none when the quote is what was asked for.
 * @throws {InvalidParameterError} When the quote, `request` or the policy cannot be read.
 *
 * @example
 * import type { Quote } from "waybill/client";
 * import { findQuoteMismatches } from "waybill/execute";
 *
 * declare const quote: Quote;
 * for (const { code, path } of await findQuoteMismatches({ quote })) console.log(code, path);
 */
export async function findQuoteMismatches(parameters: VerifyQuoteParameters): FindQuoteMismatchesReturnType {
  const prove = await startProof(parameters);
  const { found } = await prove([]);
  return found;
}
