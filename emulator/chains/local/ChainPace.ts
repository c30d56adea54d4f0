import { AsyncLocalStorage } from "node:async_hooks";

/** A request from outside to a chain in this process. */
type OutsideRequest = {
  readonly chainId: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

/** Makes chains in this process repeatable: requests from outside run in turn, and blocks have the pace's time. */
export type ChainPace = {
  /** Unix milliseconds of the next block. */
  now(): number;
  /** Runs a request that may change the chain, after everything that came before it has ended. */
  admit<Answer>(request: OutsideRequest, run: () => Promise<Answer>): Promise<Answer>;
};

const inside = new AsyncLocalStorage<true>();

/** Marks a call as the emulator's own, which is not from outside. */
export function runInside<Result>(work: () => Result): Result {
  return inside.run(true, work);
}

/** Whether the emulator itself makes the present call. */
export function isInside(): boolean {
  return inside.getStore() === true;
}
