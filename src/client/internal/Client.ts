import type * as z from "zod/mini";
import type { Sleep } from "../../internal/sleep.ts";
import type { Unknown } from "../../schema/wire/findUnknown.ts";
import type { RequestParameters } from "./RequestParameters.ts";
import type { RateLimiter } from "./rateLimits.ts";
import type { DeprecationNotice } from "./readDeprecation.ts";
import type { SharedCalls } from "./shareCall.ts";

/** The part of `fetch` that a client uses. A server's handler is accepted too. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Handling of undocumented fields and enum values. An invalid response is an error in every mode.
 *
 * - `warn`: `onUnknown` is called for them.
 * - `strict`: they are an error, except in responses to submissions. For tests that detect changes of the service.
 * - `off`: they are ignored.
 */
export type ValidationMode = "off" | "strict" | "warn";

/** An undocumented field or value, and its endpoint. */
export type UnknownReport = Unknown & {
  /** Method and path, such as `GET /chains`. */
  endpoint: string;
};

/** A finished attempt of a call, for `onEvent`. */
export type ClientEvent = {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds, including the wait for rate limits. */
  readonly durationMs: number;
  /** Method and path, such as `GET /chains`; includes ids, excludes queries. */
  readonly endpoint: string;
  /** Error of the attempt; undefined on success. After a `retryable` error, the next attempt follows, if any is left. */
  readonly error: unknown;
};

/** A client: configuration, shared state of its calls, and `request`. */
export type Client = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly fetch: FetchLike;
  readonly maxResponseBytes: number;
  readonly now: () => number;
  readonly onDeprecation: ((notice: DeprecationNotice) => void) | undefined;
  readonly onEvent: ((event: ClientEvent) => void) | undefined;
  readonly onUnknown: ((report: UnknownReport) => void) | undefined;
  readonly random: () => number;
  /** Makes one API call; every endpoint function uses it. */
  readonly request: <Schema extends z.ZodMiniType>(
    parameters: RequestParameters<Schema>,
  ) => Promise<z.output<Schema>>;
  readonly retry: { readonly baseDelay: number; readonly count: number; readonly maxDelay: number };
  readonly rateLimiter: RateLimiter;
  /** Reads in flight. */
  readonly sharedCalls: SharedCalls;
  readonly sleep: Sleep;
  readonly timeout: number;
  readonly validation: ValidationMode;
};
