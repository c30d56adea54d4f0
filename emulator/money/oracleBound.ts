import { basisPoints, type Usd } from "./prices.ts";

/** Largest loss of the solver, or of a sponsor in pools, against the price table: basis points of the worth it is paid for. */
export const mostLossBps = 100n;

/** Largest spending for a worth, in the unit of `worth`; rounded down. No request can raise it. */
export function mostSpending(worth: Usd): Usd {
  return (worth * (basisPoints + mostLossBps)) / basisPoints;
}

/** Largest loss on a worth, in the unit of `worth`; rounded down. */
export function mostLoss(worth: Usd): Usd {
  return (worth * mostLossBps) / basisPoints;
}
