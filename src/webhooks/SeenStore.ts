import { assertFunction } from "../internal/assertFunction.ts";
import { assertNumber } from "../internal/assertNumber.ts";

/**
 * Remembers which events were handled. Several servers must share it, and `claim` must be atomic there:
 * `SET key value NX EX seconds` of Redis, or an insert into a table with a unique key.
 */
export type SeenStore = {
  /** Takes a key: `true` for the first claim, `false` for every later one. */
  claim: (key: string) => boolean | Promise<boolean>;
  /** Gives a key back, because handling its event failed: the next delivery is taken. */
  release: (key: string) => void | Promise<void>;
};

/** Parameters of {@link createMemorySeenStore}. */
export type CreateMemorySeenStoreParameters = {
  /** Most keys to remember; the oldest are forgotten. Default 100 000. */
  maxKeys?: number | undefined;
  /** Unix milliseconds. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Seconds to remember a key. Default a day: longer than deliveries are repeated. */
  ttlSeconds?: number | undefined;
};

/**
 * Makes a store in memory, for one process and for tests.
 *
 * @throws InvalidParameterError when a bound is not a positive number.
 *
 * @example
 * import { createMemorySeenStore } from "waybill/webhooks";
 *
 * const store = createMemorySeenStore();
 * console.log(store.claim("a"), store.claim("a")); // true false
 */
export function createMemorySeenStore(parameters: CreateMemorySeenStoreParameters = {}): {
  claim: (key: string) => boolean;
  release: (key: string) => void;
} {
  const { maxKeys = 100_000, now = Date.now, ttlSeconds = 86_400 } = parameters;
  assertFunction("now", now);
  assertNumber("maxKeys", maxKeys, 1);
  assertNumber("ttlSeconds", ttlSeconds, 1);
  // A Map keeps the order of insertion, so the oldest are in front.
  const claimedAt = new Map<string, number>();
  const forgetOld = (time: number): void => {
    for (const [key, at] of claimedAt) {
      if (time - at < ttlSeconds * 1_000 && claimedAt.size < maxKeys) return;
      claimedAt.delete(key);
    }
  };
  return {
    claim: (key) => {
      const time = now();
      const at = claimedAt.get(key);
      if (at !== undefined && time - at < ttlSeconds * 1_000) return false;
      claimedAt.delete(key);
      forgetOld(time);
      claimedAt.set(key, time);
      return true;
    },
    release: (key) => {
      claimedAt.delete(key);
    },
  };
}
