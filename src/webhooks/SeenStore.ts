import { assertFunction, assertNumber } from "../internal/readParts.ts";

/**
 * Stores the keys of handled events. Several servers must share one store with an atomic `claim`: `SET key value NX EX
 * seconds` of Redis, or an insert with a unique key.
 *
 * A crash between `claim` and the end of `onEvent` loses the event. To survive it, use no store: let `onEvent` insert the
 * event into a table with a unique `dedupeKey`, and work through the table after the response.
 */
export type SeenStore = {
  /** Claims a key: `true` for the first claim, `false` for every later one. */
  claim: (key: string) => boolean | Promise<boolean>;
  /** Releases a key after its handler failed, so that the next delivery is handled. */
  release: (key: string) => void | Promise<void>;
};

export type CreateMemorySeenStoreParameters = {
  /** Maximum number of keys; the oldest are evicted. Default: 100,000. */
  maxKeys?: number | undefined;
  /** Unix milliseconds. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Seconds to keep a key. Default: a day, longer than the service retries. */
  ttlSeconds?: number | undefined;
};

/**
 * Creates an in-memory store, for one process and for tests.
 *
 * @throws InvalidParameterError unless each bound is a positive number.
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
  // A Map iterates in insertion order, so the oldest comes first.
  const claimedAt = new Map<string, number>();
  return {
    claim: (key) => {
      const time = now();
      const at = claimedAt.get(key) ?? Number.NEGATIVE_INFINITY;
      if (time - at < ttlSeconds * 1_000) return false;
      claimedAt.delete(key);
      const [oldest] = claimedAt.keys();
      if (oldest !== undefined && claimedAt.size >= maxKeys) claimedAt.delete(oldest);
      claimedAt.set(key, time);
      return true;
    },
    release: (key) => {
      claimedAt.delete(key);
    },
  };
}
