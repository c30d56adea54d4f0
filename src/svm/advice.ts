import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";

/** A change of quote parameters that shortens the transaction. */
export type SvmQuoteChange =
  /** Fewer hops. */
  | { readonly parameter: "maxRouteLength"; readonly value: number }
  /** A swap source that builds short transactions, of the caller's choice. */
  | { readonly parameter: "includedOriginSwapSources" }
  /** If another account than the user pays: name the payer in the quote instead of adding a signer later. */
  | { readonly parameter: "depositFeePayer" };

/** Advice on a transaction's size. */
export type SvmAdvice = {
  /** Whether compute-budget instructions, up to 60 bytes, fit after the quote's own. */
  readonly addComputeBudget: boolean;
  /** Changes for a new quote, in the order to try; empty if none is needed. */
  readonly requote: readonly SvmQuoteChange[];
  /** The advice in a sentence. */
  readonly text: string;
};

/** Recommended `maxRouteLength` values, in order (specification, "Limits"). */
const routeLengths = [4, 3];

const texts = {
  fits: "The transaction fits, with room for compute-budget instructions.",
  "fits-as-it-is": "The transaction fits as it is: sign it without adding compute-budget instructions.",
  "may-fit":
    "Whether the transaction fits depends on its lookup tables: read them, and measure again before the wallet is asked.",
  "too-large":
    "The transaction is too large to be sent: ask for the quote again with fewer hops, then with one swap source. The same parameters bring the same route.",
} as const;

/**
 * Computes the advice for a size.
 *
 * @throws InvalidParameterError unless `maxRouteLength` is a positive integer.
 */
export function svmAdvice({
  maxRouteLength = Number.POSITIVE_INFINITY,
  verdict,
}: {
  maxRouteLength: number | undefined;
  verdict: keyof typeof texts;
}): SvmAdvice {
  const isLength = maxRouteLength === Number.POSITIVE_INFINITY || Number.isSafeInteger(maxRouteLength);
  if (!isLength || maxRouteLength < 1) {
    const reason = `${show(maxRouteLength)} is not a whole number above zero`;
    throw new InvalidParameterError({ parameter: "maxRouteLength", reason });
  }
  const shorter = routeLengths.filter((length) => length < maxRouteLength);
  const requote: readonly SvmQuoteChange[] =
    verdict === "too-large"
      ? [
          ...shorter.map((value) => ({ parameter: "maxRouteLength", value }) as const),
          { parameter: "includedOriginSwapSources" },
          { parameter: "depositFeePayer" },
        ]
      : [];
  return { addComputeBudget: verdict === "fits", requote, text: texts[verdict] };
}
