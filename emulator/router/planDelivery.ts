import { unitsPerToken } from "../money/prices.ts";
import type { Intent } from "../requests/Intent.ts";

/** The solver's spending for a deposit, and the required output. */
export type Delivery = {
  /** Total taken from the inventory; a swap to a fixed output may leave a part. */
  readonly inventory: bigint;
  /** In the currency of the output. */
  readonly output: { readonly exactly: bigint } | { readonly atLeast: bigint };
  /**
   * Part of `inventory` that goes to the recipient unswapped: paid beyond the price of a fixed output. Zero
   * when left out.
   */
  readonly surplus?: bigint | undefined;
  /**
   * The solver's part of the rest of a swap to a fixed output: its own margin for slippage. The recipient gets the
   * rest. When left out, the solver keeps everything.
   */
  readonly reserve?: bigint | undefined;
};

/** An output below the quoted minimum. */
export type Shortfall = { readonly output: bigint; readonly minimumAmount: bigint };

/** The solver's spending for a delivery; zero for one that is not made. */
export function spentBy(delivery: Delivery | Shortfall): bigint {
  return "inventory" in delivery ? delivery.inventory : 0n;
}

type Promised = Pick<
  Intent,
  "tradeType" | "destination" | "fill" | "sponsorship" | "topup" | "trueExactOutput"
> & {
  deposit: Pick<Intent["deposit"], "amount" | "decimals" | "minimumAmount">;
};

/**
 * Computes the delivery of a deposit by its quote. Pure: it does not read the pools. A fixed output stays as quoted,
 * and the recipient gets any overpayment, without further fees. A smaller deposit pays for no fixed output: the solver
 * covers no part of one. A variable output and its minimum scale with the deposit, because an origin swap may have
 * brought more or less than expected. A smaller deposit still pays all of the gas.
 */
export function planDelivery(intent: Promised, deposited: bigint): Delivery | Shortfall {
  const { deposit, destination, fill, tradeType } = intent;
  if (tradeType === "EXACT_OUTPUT") return planFixed(intent, deposited);
  const fixed = intent.sponsorship ?? intent.topup;
  if (fixed !== undefined) return planWithFixedPart(intent, fixed, deposited);
  const inventory = scaledInventory(intent, deposited);
  if (inventory <= 0n) return { minimumAmount: most(1n, destination.minimumAmount), output: 0n };
  const minimumAmount =
    deposited > deposit.amount
      ? (destination.minimumAmount * deposited) / deposit.amount
      : destination.minimumAmount;
  if (fill.path.length > 0) return { inventory, output: { atLeast: minimumAmount } };
  if (inventory < destination.minimumAmount) {
    return { minimumAmount: destination.minimumAmount, output: inventory };
  }
  return { inventory, output: { exactly: inventory } };
}

/** The inventory of a variable output: what is left of the deposit after its shares and the gas. */
function scaledInventory(intent: Promised, deposited: bigint): bigint {
  const { deposit, fill } = intent;
  if (deposited >= deposit.amount || !fill.gas) return (fill.amount * deposited) / deposit.amount;
  const gas = toInventory(intent, fill.gas);
  // One unit more than the rounded gas, so that the solver pays no part of it.
  return ((fill.amount + gas) * deposited) / deposit.amount - gas - 1n;
}

/**
 * A sponsor's payment and a gas top-up stay as quoted, whatever is deposited: the difference of the deposit is the user's.
 * More pays the service's and the apps' shares of it, less reduces the output by all of it.
 */
function planWithFixedPart(
  intent: Promised,
  { shares }: { readonly shares: bigint },
  deposited: bigint,
): Delivery | Shortfall {
  const { deposit, destination, fill } = intent;
  const more = most(0n, deposited - deposit.amount);
  const gained = toInventory(intent, (more * most(0n, deposit.amount - shares)) / deposit.amount);
  // Rounded up, so that the solver pays no part of a smaller deposit.
  const lost = deposited < deposit.amount ? toInventory(intent, deposit.amount - deposited) + 1n : 0n;
  const inventory = fill.amount + gained - lost;
  if (inventory <= 0n) return { minimumAmount: most(1n, destination.minimumAmount), output: 0n };
  if (fill.path.length === 0) {
    const { minimumAmount } = destination;
    if (inventory < minimumAmount) return { minimumAmount, output: inventory };
    return { inventory, output: { exactly: inventory } };
  }
  const scaled = (destination.minimumAmount * inventory) / fill.amount;
  return { inventory, output: { atLeast: most(scaled, destination.minimumAmount) } };
}

function planFixed(intent: Promised, deposited: bigint): Delivery | Shortfall {
  const { deposit, destination, fill, trueExactOutput = false } = intent;
  if (deposited < deposit.amount) return { minimumAmount: destination.minimumAmount, output: 0n };
  const surplus = toInventory(intent, deposited - deposit.amount);
  const inventory = fill.maximumAmount + surplus;
  if (fill.path.length === 0) {
    return { inventory, output: { exactly: destination.amount + surplus }, surplus };
  }
  const reserve = fill.maximumAmount - fill.amount;
  const output = { exactly: destination.amount };
  return { inventory, output, surplus, ...(!trueExactOutput && { reserve }) };
}

/** Converts an amount of the deposit's currency to the inventory's, rounded down. */
function toInventory({ deposit, fill }: Promised, amount: bigint): bigint {
  if (fill.ratio !== undefined) return (amount * fill.ratio.given) / fill.ratio.taken;
  // Intents of earlier versions have no decimals: both chains use the same.
  if (deposit.decimals === undefined || fill.decimals === undefined) return amount;
  return (
    (amount * unitsPerToken({ decimals: fill.decimals })) / unitsPerToken({ decimals: deposit.decimals })
  );
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
