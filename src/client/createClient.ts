import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertNumber } from "../internal/assertNumber.ts";
import { parseBaseUrl } from "../internal/joinUrl.ts";
import { sleep as realSleep, type Sleep } from "../internal/sleep.ts";
import {
  defaultBaseUrl,
  defaultRetryBaseDelay,
  defaultRetryCount,
  defaultRetryMaxDelay,
  defaultTimeout,
} from "./constants.ts";

/** The part of `fetch` that a client uses: a server's own handler will do. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** How calls without side effects are repeated. */
export type RetryOptions = {
  /** Upper bound of the first delay, in milliseconds; it doubles with every attempt. Default 250. */
  baseDelay?: number | undefined;
  /** Attempts after the first one. Default 3; 0 switches retries off. */
  count?: number | undefined;
  /** Upper bound of every delay, in milliseconds. Default 10 000. */
  maxDelay?: number | undefined;
};

/** Parameters of {@link createClient}. */
export type CreateClientParameters = {
  /**
   * Sent as `x-api-key` to `baseUrl` and nowhere else. It never reaches a message, and `JSON.stringify`
   * skips it.
   */
  apiKey?: string | undefined;
  /** Default `https://api.relay.link`. A path prefix is kept, a trailing slash does not matter. */
  baseUrl?: string | undefined;
  /** Default the platform's. */
  fetch?: FetchLike | undefined;
  /** Unix milliseconds. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** A number in `[0, 1)`, for the jitter of retries. Default `Math.random`. */
  random?: (() => number) | undefined;
  retry?: RetryOptions | undefined;
  /** Waits; default a timer. */
  sleep?: Sleep | undefined;
  /** Milliseconds that one call may take with all its retries. Default 30 000. */
  timeout?: number | undefined;
};

/** What {@link createClient} returns: configuration, and nothing that changes. */
export type Client = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly fetch: FetchLike;
  readonly now: () => number;
  readonly random: () => number;
  readonly retry: { readonly baseDelay: number; readonly count: number; readonly maxDelay: number };
  readonly sleep: Sleep;
  readonly timeout: number;
};

/** What {@link createClient} returns. */
export type CreateClientReturnType = Client;

/** What {@link createClient} throws. */
export type CreateClientErrorType = InvalidParameterError;

/**
 * Makes a client of the service: the first argument of every call.
 *
 * @throws InvalidParameterError when a parameter cannot work.
 *
 * @example
 * import { createClient, getChains } from "waybill/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:4000" });
 * console.log((await getChains(client)).chains.map((chain) => chain.name));
 */
export function createClient(parameters: CreateClientParameters = {}): Client {
  const {
    apiKey,
    baseUrl = defaultBaseUrl,
    fetch = globalThis.fetch,
    now = Date.now,
    random = Math.random,
    retry: {
      baseDelay = defaultRetryBaseDelay,
      count = defaultRetryCount,
      maxDelay = defaultRetryMaxDelay,
    } = {},
    sleep = realSleep,
    timeout = defaultTimeout,
  } = parameters;
  parseBaseUrl(baseUrl);
  assertNumber("timeout", timeout, 1);
  assertNumber("retry.baseDelay", baseDelay, 0);
  assertNumber("retry.count", count, 0);
  assertNumber("retry.maxDelay", maxDelay, 0);
  // Checked here, because the platform quotes the value when it refuses a header.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new InvalidParameterError({
      parameter: "apiKey",
      reason: "not printable characters without white space",
    });
  }
  const client = {
    baseUrl,
    // Browsers refuse to run `fetch` as the method of another object.
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    now,
    random,
    retry: Object.freeze({ baseDelay, count, maxDelay }),
    sleep,
    timeout,
  };
  // Not enumerable, so that logging a client or putting it into JSON does not spill the key.
  Object.defineProperty(client, "apiKey", { enumerable: false, value: apiKey });
  return Object.freeze(client as Client);
}
