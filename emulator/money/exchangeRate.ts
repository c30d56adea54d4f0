import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/amount.ts";

/** Places of a rate. */
const ratePlaces = 18;

/** Whole output tokens for one whole input token, as a plain decimal number however small it is. */
export function exchangeRate(output: Amount, input: Amount): string {
  const scale = 10n ** BigInt(input.currency.decimals + ratePlaces);
  const whole = BigInt(input.amount) * 10n ** BigInt(output.currency.decimals);
  return unitsToDecimal((BigInt(output.amount) * scale) / whole, ratePlaces);
}
