import { assertKeyStaysPrivate } from "../internal/assertKeyStaysPrivate.ts";
import { parseBaseUrl } from "../internal/joinUrl.ts";
import { assertFunction, assertNumber, assertValid, readObject } from "../internal/readParts.ts";
import { assertUrlGiven, serviceNames } from "../internal/serviceAddresses.ts";
import { sleep as realSleep, type Sleep } from "../internal/sleep.ts";
import type { Client, ClientEvent, FetchLike, UnknownReport, ValidationMode } from "./internal/Client.ts";
import { defaultMaxResponseBytes, defaultTimeout, publicHosts } from "./internal/constants.ts";
import { createRateLimiter, publicRateLimits, type RateLimits } from "./internal/rateLimits.ts";
import type { DeprecationNotice } from "./internal/readDeprecation.ts";
import { request } from "./internal/request.ts";

/** Retry policy of calls without side effects. */
export type RetryOptions = {
  /** Upper bound of the first delay, in milliseconds; doubles with every attempt. Default: 250. */
  baseDelay?: number | undefined;
  /** Attempts after the first one. Default: 3; 0 disables retries. */
  count?: number | undefined;
  /** Upper bound of every delay, in milliseconds. Default 10 000. */
  maxDelay?: number | undefined;
};

export type CreateClientParameters = {
  /** Sent as `x-api-key` to `baseUrl` only, which needs `https` unless it is this machine. Error messages never contain it, and `JSON.stringify` skips it. */
  apiKey?: string | undefined;
  /**
   * URL of the service: `production.baseUrl`, `testnet.baseUrl`, or an emulator's `info.apiUrl`. May contain a path
   * prefix; a trailing slash is ignored.
   */
  baseUrl: string;
  /** Default: the platform's. */
  fetch?: FetchLike | undefined;
  /** Maximum response size, in bytes after decompression. Default: 33,554,432. */
  maxResponseBytes?: number | undefined;
  /** Unix milliseconds. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Called for each response that announces a deprecation. An error that it throws fails the call. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
  /** Called after each attempt, for metrics. An error that it throws fails the call. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Called for undocumented fields and values, by `validation`. An error that it throws fails the call. */
  onUnknown?: ((report: UnknownReport) => void) | undefined;
  /** Returns a number in `[0, 1)`, for retry jitter. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Client-side rate limits. Default: `publicRateLimits` for the public service, none for others; `false` disables them. */
  rateLimits?: RateLimits | false | undefined;
  retry?: RetryOptions | undefined;
  /** Waits. Default: a timer. */
  sleep?: Sleep | undefined;
  /** Time limit of a call with all its retries, in milliseconds. Default: 30,000. */
  timeout?: number | undefined;
  /** Default `warn`. */
  validation?: ValidationMode | undefined;
};

export type CreateClientReturnType = Client;

/**
 * Creates a client of the service: the first argument of every API function.
 *
 * @throws InvalidParameterError for an invalid parameter, by name.
 *
 * @example
 * import { createClient, getChains } from "waybill/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:4000" });
 * console.log((await getChains(client)).chains.map((chain) => chain.name));
 */
export function createClient(parameters: CreateClientParameters): Client {
  const {
    apiKey,
    baseUrl,
    fetch = globalThis.fetch,
    maxResponseBytes = defaultMaxResponseBytes,
    now = Date.now,
    onDeprecation,
    onEvent,
    onUnknown,
    random = Math.random,
    rateLimits,
    retry = {},
    sleep = realSleep,
    timeout = defaultTimeout,
    validation = "warn",
  } = parameters ?? {};
  assertUrlGiven(baseUrl, "baseUrl", serviceNames);
  const url = parseBaseUrl(baseUrl);
  readObject(retry, "retry");
  const { baseDelay = 250, count = 3, maxDelay = 10_000 } = retry;
  const functions = { fetch, now, onDeprecation, onEvent, onUnknown, random, sleep };
  for (const [name, value] of Object.entries(functions)) {
    if (value !== undefined) assertFunction(name, value);
  }
  assertNumber("maxResponseBytes", maxResponseBytes, 1);
  assertNumber("timeout", timeout, 1);
  assertNumber("retry.baseDelay", baseDelay, 0);
  assertNumber("retry.count", count, 0);
  assertNumber("retry.maxDelay", maxDelay, 0);
  // Validated here, because the platform's error for an invalid header contains the value.
  const isKey = apiKey === undefined || (typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey));
  assertValid(isKey, "apiKey", "not printable characters without white space");
  assertKeyStaysPrivate(apiKey, url);
  const isMode = ["off", "strict", "warn"].includes(validation);
  assertValid(isMode, "validation", "not one of off, strict, warn");
  const limits = rateLimits ?? (publicHosts.includes(url.host) ? publicRateLimits : false);
  const client = {
    baseUrl,
    // Browsers refuse to run `fetch` as the method of another object.
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    maxResponseBytes,
    now,
    onDeprecation,
    onEvent,
    onUnknown,
    random,
    retry: Object.freeze({ baseDelay, count, maxDelay }),
    sleep,
    timeout,
    validation,
  };
  // Not enumerable, so that logging or serialising a client does not reveal the key.
  Object.defineProperties(client, {
    apiKey: { enumerable: false, value: apiKey },
    rateLimiter: {
      enumerable: false,
      value: createRateLimiter(limits === false ? {} : readObject(limits, "rateLimits"), { now, sleep }),
    },
    request: {
      enumerable: false,
      value: ((call) => request(client as Client, call)) satisfies Client["request"],
    },
  });
  return Object.freeze(client as Client);
}
