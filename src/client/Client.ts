import type * as z from "zod/mini";
import type { Sleep } from "../internal/sleep.ts";
import type { Unknown } from "../schema/findUnknown.ts";
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
 * - `warn`: they are told to `onUnknown`.
 * - `strict`: they are an error too, except in the answer to a submission. For tests that watch for changes.
 * - `off`: nobody looks.
 */
export type ValidationMode = "off" | "strict" | "warn";

/** Something that the interface does not document, and where it came from. */
export type UnknownReport = Unknown & {
  /** Method and path, such as `GET /chains`. */
  endpoint: string;
};

/** One attempt of a call that came to its end, as `onEvent` is told of it. */
export type ClientEvent = {
  /** Which attempt of the call, counted from 1. */
  readonly attempt: number;
  /** Milliseconds, those included for which rate limits held it back. */
  readonly durationMs: number;
  /** Method and path, such as `GET /chains`; ids are in it, queries are not. */
  readonly endpoint: string;
  /** Why it failed; undefined when it did not. What may be repeated is, when it is `retryable`. */
  readonly error: unknown;
};

/** What `createClient` returns: configuration, what its calls share, and the way to make them. */
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
  /** Reads that are on their way. */
  readonly sharedCalls: SharedCalls;
  readonly sleep: Sleep;
  readonly timeout: number;
  readonly validation: ValidationMode;
};
