import type { Context } from "../../context/Context.ts";

/**
 * Circumstances of a time ago: the service's clock and its view of the chains' time. What it answers then is late now, and
 * no clock is moved.
 */
export function earlier(milliseconds: number): (context: Context) => Partial<Context> {
  const seconds = BigInt(Math.ceil(milliseconds / 1_000));
  return ({ chains, now }) => ({
    chains: new Map(
      [...chains].map(([id, chain]) => {
        const head = () => {
          const { timestamp, ...rest } = chain.head();
          return { ...rest, timestamp: timestamp - seconds };
        };
        return [id, { ...chain, head }];
      }),
    ),
    now: () => now() - milliseconds,
  });
}
