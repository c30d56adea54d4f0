import type { Chain } from "../../chains/Chain.ts";

/**
 * Earliest time at which a transaction sent now is mined, in unix seconds. An idle chain is behind the clock; one whose time
 * was moved forward is ahead of it.
 *
 * @param now Unix milliseconds.
 */
export function chainTime({ head }: Pick<Chain, "head">, now: number): number {
  return Math.max(Number(head().timestamp), Math.floor(now / 1_000));
}
