import type { Quote } from "../../../src/schema/quote/quote.ts";
import type { StoredQuote } from "../../requests/StoredQuote.ts";

/** A quote in JSON: as the answer, and as its record stores it. */
type QuoteText = {
  readonly answer: string;
  readonly stored: string;
};

/**
 * Serializes a quote for the answer and for its record. The common part, nearly all of it, is serialized once: that
 * takes longer than pricing.
 */
export function quoteText(
  { details, fees, feeSponsorship, protocol, steps }: Quote,
  kept: Pick<StoredQuote, "appFeeCurrency" | "appFees" | "oraclePrice">,
): QuoteText {
  const sponsored = feeSponsorship ? `,"feeSponsorship":${JSON.stringify(feeSponsorship)}` : "";
  const shared = `"details":${JSON.stringify(details)},"fees":${JSON.stringify(fees)}${sponsored}`;
  const end = protocol === undefined ? "" : `,"protocol":${JSON.stringify(protocol)}`;
  return {
    answer: `{${shared},"steps":${JSON.stringify(steps)}${end}}`,
    stored: `${JSON.stringify(kept).slice(0, -1)},${shared}${end}}`,
  };
}
