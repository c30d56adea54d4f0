import type * as z from "zod/mini";
import type { Sleep } from "../../internal/sleep.ts";
import type { Unknown } from "../../schema/wire/findUnknown.ts";
import type { RequestParameters } from "./RequestParameters.ts";
import type { RateLimiter } from "./rateLimits.ts";
import type { DeprecationNotice } from "./readDeprecation.ts";
import type { SharedCalls } from "./shareCall.ts";

/** The part of `fetch` that a client uses: a server's own handler will do. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/**
 * What becomes of fields and enum values that the interface does not document. An answer that is not valid is an error
 * in every mode.
 *
 * - `warn`: `onUnknown` is called for them.
 * - `strict`: they are an error too, except in the answer to a submission. For tests that watch for changes.
 * - `off`: they are not looked for.
 */
export type ValidationMode = "off" | "strict" | "warn";

/** Something that the interface does not document, and where it came from. */
export type UnknownReport = Unknown & {
  /** Method and path, such as `GET /chains`. */
  endpoint: string;
};

/** One finished attempt of a call, for `onEvent`. */
export type ClientEvent = {
  /** Which attempt of the call, counted from 1. */
  readonly attempt: number;
  /** Milliseconds, including the wait for rate limits. */
  readonly durationMs: number;
  /** Method and path, such as `GET /chains`; ids are in it, queries are not. */
  readonly endpoint: string;
  /** Why it failed; undefined when it did not. A `retryable` error is followed by the next attempt, if any is left. */
  readonly error: unknown;
};

/** What `createClient` returns: configuration, state that its calls share, and `request`, which makes them. */
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
  /** Makes one call of the service; every function of this package calls it. */
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
