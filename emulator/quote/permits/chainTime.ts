import type { Chain } from "../../chains/Chain.ts";

/**
 * The time at which a transaction of now would be mined at the earliest, in unix seconds: a chain that nobody used for a
 * while is behind the clock, and one that was set forward ahead of it.
 *
 * @param now Unix milliseconds.
 */
export function chainTime({ head }: Pick<Chain, "head">, now: number): number {
  return Math.max(Number(head().timestamp), Math.floor(now / 1_000));
}
