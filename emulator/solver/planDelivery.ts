import type { Intent } from "../store/Intent.ts";

/** What the solver spends for a deposit, and what must come of it. */
export type Delivery = {
  /** Of the inventory; with a fixed output the most that may be spent. */
  readonly inventory: bigint;
  readonly output: { readonly exactly: bigint } | { readonly atLeast: bigint };
};

/** An output that is below what the quote promised. */
export type Shortfall = { readonly output: bigint; readonly minimumAmount: bigint };

type Promised = Pick<Intent, "tradeType" | "destination" | "fill"> & {
  deposit: Pick<Intent["deposit"], "amount">;
};

/**
 * What a deposit is worth by its quote. Pure: how the pools are now is for the chain to say.
 *
 * A fixed output stays as it was quoted. One that varies follows the deposit: an origin swap may have brought more or less
 * than was expected, and whoever pays more gets as much more, and is promised as much more.
 */
export function planDelivery(intent: Promised, deposited: bigint): Delivery | Shortfall {
  const { deposit, destination, fill, tradeType } = intent;
  if (tradeType === "EXACT_OUTPUT") {
    return { inventory: fill.maximumAmount, output: { exactly: destination.amount } };
  }
  const inventory = (fill.amount * deposited) / deposit.amount;
  const minimumAmount =
    deposited > deposit.amount
      ? (destination.minimumAmount * deposited) / deposit.amount
      : destination.minimumAmount;
  if (fill.path.length > 0) return { inventory, output: { atLeast: minimumAmount } };
  const output = (destination.amount * deposited) / deposit.amount;
  if (output < destination.minimumAmount) return { minimumAmount: destination.minimumAmount, output };
  return { inventory: output, output: { exactly: output } };
}
