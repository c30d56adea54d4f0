import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type QuoteMismatch, QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { findMismatches } from "./verify/findMismatches.ts";
import type { VerifyQuoteParameters } from "./verify/VerifyQuoteParameters.ts";

/** What {@link verifyQuote} returns. */
export type VerifyQuoteReturnType = Promise<void>;

/** What {@link verifyQuote} throws. */
export type VerifyQuoteErrorType = InvalidParameterError | QuoteMismatchError;

/** What {@link findQuoteMismatches} returns. */
export type FindQuoteMismatchesReturnType = Promise<readonly QuoteMismatch[]>;

/**
 * Proves, before anything is signed, that a quote does what was asked for: chains, currencies, amounts, who pays and who is
 * paid; that every transaction is an approval of the exact amount for a contract of the service or one of its payments; that
 * the deposit carries the id of the very order that the quote shows, and that this order pays the recipient the least that
 * was quoted and makes the calls that were asked for; that signatures permit no more than that, and stay with the service.
 *
 * Swaps inside a payment go to venues that are not known here, and so do the calls whose hash is all that an ERC-2612 or
 * ERC-3009 permission binds: their spender is proven, what the spender does is not.
 *
 * @param parameters The quote, what was asked for, and what is known of the service.
 * @throws {QuoteMismatchError} For the first difference, with `code`, `path`, `expected` and `actual`, and all others.
 * @throws {InvalidParameterError} When the quote, `request` or what is known of the service cannot be read.
 *
 * @example
 * import { type Chain, getQuote, type GetQuoteParameters, type Quote } from "waybill/client";
 * import { verifyQuote } from "waybill/execute";
 *
 * declare const chains: Chain[];
 * declare const quote: Quote;
 * declare const request: GetQuoteParameters;
 * await verifyQuote({ chains, quote, request });
 */
export async function verifyQuote(parameters: VerifyQuoteParameters): VerifyQuoteReturnType {
  const [first, ...others] = await findQuoteMismatches(parameters);
  if (first !== undefined) throw new QuoteMismatchError([first, ...others]);
}

/**
 * The same as `verifyQuote`, with everything that differs in a list.
 *
 * @param parameters The quote, what was asked for, and what is known of the service.
 * @returns All differences; none when the quote is what was asked for.
 * @throws {InvalidParameterError} When the quote, `request` or what is known of the service cannot be read.
 *
 * @example
 * import type { Quote } from "waybill/client";
 * import { findQuoteMismatches } from "waybill/execute";
 *
 * declare const quote: Quote;
 * for (const { code, path } of await findQuoteMismatches({ quote })) console.log(code, path);
 */
export async function findQuoteMismatches(parameters: VerifyQuoteParameters): FindQuoteMismatchesReturnType {
  return findMismatches(parameters);
}
