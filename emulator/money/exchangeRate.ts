import { unitsToDecimal } from "../../src/internal/amounts.ts";
import type { Amount } from "../../src/schema/quote/amount.ts";

/** Decimal places of a rate. */
const ratePlaces = 18;

/** Whole output tokens per whole input token, as a decimal number without an exponent. */
export function exchangeRate(output: Amount, input: Amount): string {
  const scale = 10n ** BigInt(input.currency.decimals + ratePlaces);
  const whole = BigInt(input.amount) * 10n ** BigInt(output.currency.decimals);
  return unitsToDecimal((BigInt(output.amount) * scale) / whole, ratePlaces);
}
