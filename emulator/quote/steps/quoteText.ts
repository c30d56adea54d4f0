import type { Quote } from "../../../src/schema/quote.ts";
import type { StoredQuote } from "../../requests/StoredQuote.ts";

/** A quote in JSON: as it is answered, and as its record keeps it. */
export type QuoteText = {
  readonly answer: string;
  readonly stored: string;
};

/**
 * Writes a quote for both who asked for it and its record. What they have in common, which is nearly all of it, is written
 * once: writing it takes longer than pricing it.
 *
 * @param kept What the record alone has.
 */
export function quoteText(
  { details, fees, protocol, steps }: Quote,
  kept: Pick<StoredQuote, "appFeeCurrency" | "appFees">,
): QuoteText {
  const shared = `"details":${JSON.stringify(details)},"fees":${JSON.stringify(fees)}`;
  const end = protocol === undefined ? "" : `,"protocol":${JSON.stringify(protocol)}`;
  return {
    answer: `{${shared},"steps":${JSON.stringify(steps)}${end}}`,
    stored: `${JSON.stringify(kept).slice(0, -1)},${shared}${end}}`,
  };
}
