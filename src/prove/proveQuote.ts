import { startProof } from "../calls/verify/proveQuote.ts";
import { readQuote } from "../calls/verify/readQuote.ts";
import { policySchema, type QuoteIntent, type QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";
import { readObject } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { uintStringSchema } from "../schema/wire/wireAmount.ts";

const amounts = ["maximumAllowance", "maximumFee", "maximumGas", "maximumInput", "minimumOutput"] as const;
type AmountName = (typeof amounts)[number];

/** A policy of `verifyQuote`, whose amounts may be decimal strings, as JSON has them. */
export type JsonQuotePolicy = Omit<QuotePolicy, AmountName> & {
  readonly [Name in AmountName]?: bigint | string | undefined;
};

/** Parameters of {@link proveQuote}. */
export type ProveQuoteParameters = {
  /** The service's answer: its JSON text, or the parsed value. It may be anything. */
  readonly quote: unknown;
  /** Parameters of `getQuote`. Not from the service. */
  readonly request: QuoteIntent;
  /** Bounds and trust roots. Not from the service. */
  readonly policy?: JsonQuotePolicy | undefined;
};

/** The quote to sign instead of the given one, or what differs. */
export type ProveQuoteReturnType =
  | { readonly proven: true; readonly quote: Quote }
  | { readonly proven: false; readonly differences: readonly QuoteMismatch[] };

/**
 * Proves a quote like `verifyQuote`, on plain JSON: for a CI, a backend that signs, or a tool that is not written around this
 * library. The result says whether the quote is proven; whatever the quote is, it is no error.
 *
 * @returns `proven: true` with the quote to sign, or `proven: false` with up to 100 differences.
 * @throws {InvalidParameterError} For an invalid part of `request` or `policy`, by name.
 *
 * @example
 * import type { GetQuoteParameters, Quote } from "waybill/client";
 * import { proveQuote, type TrustRoots } from "waybill/prove";
 *
 * declare const quote: Quote;
 * declare const request: GetQuoteParameters;
 * declare const trust: TrustRoots;
 * const result = await proveQuote({ policy: { minimumOutput: "9000000", trust }, quote, request });
 * if (result.proven) console.log(result.quote.steps.length);
 * else for (const { code, path } of result.differences) console.log(code, path);
 */
export async function proveQuote(parameters: ProveQuoteParameters): Promise<ProveQuoteReturnType> {
  const { policy = {}, quote, request } = parameters;
  const read = readPolicy(policy);
  readObject(request, "request");
  let given: Quote;
  try {
    given = readQuote(quote);
  } catch (error) {
    if (!(error instanceof InvalidParameterError)) throw error;
    const path = error.parameter.replace(/^quote\./, "");
    const expected = error.shortMessage;
    return { differences: [{ actual: "another value", code: "QUOTE_FORM", expected, path }], proven: false };
  }
  const prove = await startProof({ ...read, quote: given, request });
  const { found, quote: proven } = await prove([]);
  return found.length === 0 ? { proven: true, quote: proven } : { differences: found, proven: false };
}

/** Converts a policy of JSON, whose parts the proof validates. A misspelt bound would bound nothing. */
function readPolicy(policy: JsonQuotePolicy): QuotePolicy {
  const entries = Object.entries(readObject(policy, "policy")).map(([name, value]) => {
    if (!Object.hasOwn(policySchema.shape, name)) {
      throw new InvalidParameterError({ parameter: `policy.${show(name)}`, reason: "unknown" });
    }
    if (typeof value !== "string" || !amounts.some((amount) => amount === name)) return [name, value];
    return [name, BigInt(readBy(uintStringSchema, value, `policy.${name}`))];
  });
  return Object.fromEntries(entries) as QuotePolicy;
}
