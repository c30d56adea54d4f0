import { startProof } from "../calls/verify/proveQuote.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { isTooDeep } from "../client/internal/isTooDeep.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";
import { readObject } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { uintStringSchema } from "../schema/wire/wireAmount.ts";

type AmountName = "maximumAllowance" | "maximumFee" | "maximumGas" | "maximumInput" | "minimumOutput";

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

/** Return value of {@link proveQuote}: the quote to sign instead of the given one, or what differs. */
export type ProveQuoteReturnType = Promise<
  | { readonly proven: true; readonly quote: Quote }
  | { readonly proven: false; readonly differences: readonly QuoteMismatch[] }
>;

/** Errors of {@link proveQuote}: of the caller's part alone. */
export type ProveQuoteErrorType = InvalidParameterError;

/** Maximum length of a quote's JSON, as of `getQuote`. */
const longestQuote = 1_000_000;
/** Maximum length of a value in a difference. */
const longestValue = 300;
const mostDifferences = 100;

/**
 * The parts of a policy; true for amounts, which may be strings. A part that is not named here is refused: a misspelt bound
 * would bound nothing.
 */
const policyParts: Readonly<Record<keyof QuotePolicy, boolean>> = {
  allowSimulatedOutput: false,
  allowUnsignedOutput: false,
  bounds: false,
  destinationReader: false,
  maximumAllowance: true,
  maximumFee: true,
  maximumFillSeconds: false,
  maximumGas: true,
  maximumInput: true,
  maximumPermitSeconds: false,
  maximumSlippage: false,
  minimumOutput: true,
  now: false,
  price: false,
  priceTolerance: false,
  reader: false,
  record: false,
  simulate: false,
  trust: false,
};

/**
 * Proves a quote like `verifyQuote`, on plain JSON: for a CI, a backend that signs, or a tool that is not written around this
 * library. The result says whether the quote is proven; whatever the quote is, it is no error.
 *
 * @param parameters The quote as text or value, the request, and the policy.
 * @returns `proven: true` with the quote to sign, or `proven: false` with up to 100 differences.
 * @throws {InvalidParameterError} For an invalid part of `request` or `policy`, by name.
 *
 * @example
 * import type { GetQuoteParameters, Quote } from "waybill/client";
 * import { proveQuote, type TrustRoots } from "waybill/execute";
 *
 * declare const quote: Quote;
 * declare const request: GetQuoteParameters;
 * declare const trust: TrustRoots;
 * const result = await proveQuote({ policy: { minimumOutput: "9000000", trust }, quote, request });
 * if (result.proven) console.log(result.quote.steps.length);
 * else for (const { code, path } of result.differences) console.log(code, path);
 */
export async function proveQuote({ policy, quote, request }: ProveQuoteParameters): ProveQuoteReturnType {
  readObject(request, "request");
  const read = readPolicy(policy ?? {});
  const given = readQuote(quote);
  if (!("steps" in given)) return refuse([given]);
  const prove = await startProof({ ...read, quote: given, request });
  const { found, quote: proven } = await prove([]);
  return found.length === 0 ? { proven: true, quote: proven } : refuse(found);
}

function refuse(found: readonly QuoteMismatch[]) {
  const cut = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
  const differences = found.slice(0, mostDifferences).map(({ actual, code, expected, path }) => ({
    actual: cut(actual),
    code,
    expected: cut(expected),
    path: cut(path),
  }));
  return { differences, proven: false } as const;
}

/** Parses a copy that has no getters, so that the same quote is proven and returned. */
function readQuote(quote: unknown): Quote | QuoteMismatch {
  const malformed = (expected: string, actual: string, path = "quote"): QuoteMismatch => ({
    actual,
    code: "QUOTE_FORM",
    expected,
    path: path.replace(/^quote\./, ""),
  });
  try {
    const text = typeof quote === "string" ? quote : JSON.stringify(quote);
    if (text === undefined) return malformed("JSON", "none");
    if (text.length > longestQuote) {
      return malformed(`at most ${longestQuote} characters`, `${text.length} characters`);
    }
    if (isTooDeep(text)) return malformed("at most 100 levels", "more levels");
    return readBy(quoteSchema, JSON.parse(text), "quote");
  } catch (error) {
    if (!(error instanceof InvalidParameterError)) return malformed("JSON", "text or a value that is none");
    return malformed(error.shortMessage, "another value", error.parameter);
  }
}

/** Converts a policy of JSON to that of the proof. The proof validates every part. */
function readPolicy(policy: JsonQuotePolicy): QuotePolicy {
  const entries = Object.entries(readObject(policy, "policy")).map(([name, value]) => {
    if (!Object.hasOwn(policyParts, name)) {
      throw new InvalidParameterError({ parameter: `policy.${show(name)}`, reason: "unknown" });
    }
    if (!policyParts[name as keyof QuotePolicy] || typeof value !== "string") return [name, value];
    return [name, BigInt(readBy(uintStringSchema, value, `policy.${name}`))];
  });
  return Object.fromEntries(entries) as QuotePolicy;
}
