import type { LocalCurrency } from "../../chains/Chain.ts";
import { amountWorth } from "../../money/prices.ts";
import type { ReadIntent } from "../request/readIntent.ts";

/** Native currency of a gas top-up in wei, rounded down; zero without one. */
export function topupAmount(read: Pick<ReadIntent, "destination" | "topup">): bigint {
  return read.topup === 0n ? 0n : amountWorth(read.topup, nativeOf(read), "down");
}

export function nativeOf({ destination }: Pick<ReadIntent, "destination">): LocalCurrency {
  const [native] = destination.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return native;
}
