import { wholeUnits } from "../money/prices.ts";
import type { Intent } from "../requests/Intent.ts";

/** What the solver spends for a deposit, and what must come of it. */
export type Delivery = {
  /** Of the inventory, all together; a swap to a fixed output may leave some of it. */
  readonly inventory: bigint;
  /** In the currency of the output. */
  readonly output: { readonly exactly: bigint } | { readonly atLeast: bigint };
  /** Part of `inventory` that the recipient gets as it is: paid beyond the price of a fixed output. Zero when left out. */
  readonly surplus?: bigint | undefined;
  /**
   * Of what a swap to a fixed output leaves, the solver's own part: it had added that to what was paid, for slippage. The rest
   * is the recipient's. All of it is the solver's when left out.
   */
  readonly reserve?: bigint | undefined;
};

/** An output that is below what the quote promised. */
export type Shortfall = { readonly output: bigint; readonly minimumAmount: bigint };

type Promised = Pick<Intent, "tradeType" | "destination" | "fill" | "trueExactOutput"> & {
  deposit: Pick<Intent["deposit"], "amount" | "decimals" | "minimumAmount">;
};

/**
 * What a deposit is worth by its quote. Pure: how the pools are now is for the chain to say.
 *
 * A fixed output stays as it was quoted, and what was paid beyond it is the recipient's, without further fees. One that varies
 * follows the deposit: an origin swap may have brought more or less than was expected, and a larger payment gets as much more,
 * and is promised as much more.
 */
export function planDelivery(intent: Promised, deposited: bigint): Delivery | Shortfall {
  const { deposit, destination, fill, tradeType } = intent;
  if (tradeType === "EXACT_OUTPUT") return planFixed(intent, deposited);
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

function planFixed(intent: Promised, deposited: bigint): Delivery {
  const { deposit, destination, fill, trueExactOutput = false } = intent;
  // A pool may give as much more than was expected as it may give less; what is beyond that no pool gave.
  const kept = trueExactOutput ? deposit.amount - deposit.minimumAmount : 0n;
  const surplus = toInventory(intent, most(0n, deposited - deposit.amount - kept));
  const inventory = fill.maximumAmount + surplus;
  if (fill.path.length === 0) {
    return { inventory, output: { exactly: destination.amount + surplus }, surplus };
  }
  const missing = toInventory(intent, most(0n, deposit.amount - deposited));
  const reserve = fill.maximumAmount - most(0n, fill.amount - missing);
  const output = { exactly: destination.amount };
  return { inventory, output, surplus, ...(!trueExactOutput && { reserve }) };
}

/** The same amount of the same currency on the other chain, which may count it in other units; rounded down. */
function toInventory({ deposit, fill }: Promised, amount: bigint): bigint {
  // Intents of earlier versions do not say: then both chains count alike.
  if (deposit.decimals === undefined || fill.decimals === undefined) return amount;
  return (amount * wholeUnits({ decimals: fill.decimals })) / wholeUnits({ decimals: deposit.decimals });
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
