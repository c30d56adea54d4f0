import { type QuoteMismatch, throwMismatches } from "../errors/QuoteMismatchError.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { startProof } from "./verify/proveQuote.ts";
import type { VerifyQuoteParameters } from "./verify/VerifyQuoteParameters.ts";

/**
 * Proves before signing that a quote does exactly what was requested, within the caller's bounds. Rejects everything
 * that it cannot decode.
 *
 * Across chains, the order signed by a trusted solver proves the output. The payment must end in one deposit of the
 * order's input that must not be allowed to fail. On one chain, `OutputGuard` enforces the output: execute the returned
 * quote, which contains the guard's calls. `docs/reference/execute.md` lists each property with its proof.
 *
 * @returns The quote to execute instead of the given one.
 * @throws {QuoteMismatchError} For the first difference, with `code`, `path`, `expected` and `actual`, and all others.
 * @throws {InvalidParameterError} When the quote, `request` or the policy is invalid, or `request` names a currency by
 * its id. Only the API resolves ids, so pass the address.
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
export async function verifyQuote(parameters: VerifyQuoteParameters): Promise<Quote> {
  const prove = await startProof(parameters);
  const { found, quote } = await prove([]);
  throwMismatches(found);
  return quote;
}

/**
 * Finds all differences between a quote and the request; otherwise like `verifyQuote`.
 *
 * @returns All differences; empty when the quote is proven.
 * @throws {InvalidParameterError} When the quote, `request` or the policy is invalid.
 *
 * @example
 * import type { GetQuoteParameters, Quote } from "waybill/client";
 * import { findQuoteMismatches, type TrustRoots } from "waybill/execute";
 *
 * declare const quote: Quote;
 * declare const request: GetQuoteParameters;
 * declare const trust: TrustRoots;
 * for (const { code, path } of await findQuoteMismatches({ bounds: "none", quote, request, trust })) {
 *   console.log(code, path);
 * }
 */
export async function findQuoteMismatches(
  parameters: VerifyQuoteParameters,
): Promise<readonly QuoteMismatch[]> {
  const prove = await startProof(parameters);
  const { found } = await prove([]);
  return found;
}
