import { decimalToUnits } from "../../src/internal/amounts.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { TradeType } from "../../src/schema/quote/tradeType.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { SavedBounds } from "./ExecutionFile.ts";
import type { Currency } from "./resolveCurrency.ts";

/** Flags that bound the price. */
export type BoundFlags = {
  readonly anyPrice?: boolean;
  readonly maxInput?: string;
  readonly minOutput?: string;
};

/**
 * Refuses bounds that do not bound the open side. A person may confirm the shown price instead.
 *
 * @throws CommandError
 */
export function assertBounds(flags: BoundFlags, tradeType: TradeType, canConfirm: boolean): void {
  const { anyPrice, maxInput, minOutput } = flags;
  if (anyPrice === true && (maxInput !== undefined || minOutput !== undefined)) {
    throw usageError("--any-price excludes --min-output and --max-input.");
  }
  const [flag, bound] = tradeType === "EXACT_INPUT" ? ["--min-output", minOutput] : ["--max-input", maxInput];
  if (anyPrice === true || bound !== undefined || canConfirm) return;
  throw usageError(`Nothing bounds the price: name ${flag} <amount>, or --any-price.`);
}

/** Converts the flags to smallest units; no bound at all is `none`, until a person confirms the shown price. */
export function boundsOf({ maxInput, minOutput }: BoundFlags, from: Currency, to: Currency): SavedBounds {
  if (maxInput === undefined && minOutput === undefined) return { bounds: "none" };
  return {
    ...(maxInput !== undefined && { maximumInput: decimalToUnits(maxInput, from.decimals).toString() }),
    ...(minOutput !== undefined && { minimumOutput: decimalToUnits(minOutput, to.decimals).toString() }),
  };
}

/** The bounds that a person confirms by confirming the quote. */
export function confirmedBounds(
  { details: { currencyIn, currencyOut } }: Quote,
  tradeType: TradeType,
): SavedBounds {
  return {
    maximumInput: currencyIn.amount,
    ...(tradeType === "EXACT_INPUT" && { minimumOutput: currencyOut.minimumAmount ?? currencyOut.amount }),
  };
}

/** Bounds in the form of the proof. */
export function toPolicy({ bounds, maximumInput, minimumOutput }: SavedBounds): {
  readonly bounds?: "none";
  readonly maximumInput?: bigint;
  readonly minimumOutput?: bigint;
} {
  return {
    ...(bounds !== undefined && { bounds }),
    ...(maximumInput !== undefined && { maximumInput: BigInt(maximumInput) }),
    ...(minimumOutput !== undefined && { minimumOutput: BigInt(minimumOutput) }),
  };
}
