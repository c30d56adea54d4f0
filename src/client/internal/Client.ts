import type { Hex } from "viem";
import type * as z from "zod/mini";
import type { Query } from "../../internal/joinUrl.ts";
import type { Sleep } from "../../internal/sleep.ts";
import type { Unknown } from "../../schema/wire/findUnknown.ts";
import type { RateLimiter } from "./rateLimits.ts";
import type { DeprecationNotice } from "./readDeprecation.ts";

/** Options of every call, in addition to its own parameters. */
export type CallOptions = {
  /** Attempts after the first one. Default: the client's. Submissions are never retried. */
  retryCount?: number | undefined;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /** Time limit of the call with all its retries, in milliseconds. Default: the client's. */
  timeout?: number | undefined;
};

/** Parameters of an API call. */
export type RequestParameters<Schema extends z.ZodMiniType> = CallOptions & {
  /** Sent as JSON. */
  body?: unknown;
  /** Overrides the client's limit when lower. */
  maxResponseBytes?: number | undefined;
  /** Default: POST with a body, else GET. */
  method?: "DELETE" | "GET" | "POST" | "PUT" | undefined;
  /** Completes "Timed out … while" in messages. */
  operation: string;
  path: string;
  query?: Query | undefined;
  /** Whether the call has no side effects and may be retried. Default: only a GET. */
  safe?: boolean | undefined;
  /** Schema of a 2xx body. */
  schema: Schema;
};

/** Fields of a body with `string` in place of hexadecimal types; validated at run time. */
export type AnyText<Body> = {
  [Name in keyof Body]: Body[Name] extends Hex
    ? string
    : Body[Name] extends Hex | undefined
      ? string | undefined
      : Body[Name];
};

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

/** A client: configuration, rate limiter and `request`. */
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
  readonly sleep: Sleep;
  readonly timeout: number;
  readonly validation: ValidationMode;
};
