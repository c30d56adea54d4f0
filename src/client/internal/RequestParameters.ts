import type * as z from "zod/mini";
import type { Query } from "../../internal/joinUrl.ts";
import type { CallOptions } from "./CallOptions.ts";

/** One call of the service. */
export type RequestParameters<Schema extends z.ZodMiniType> = CallOptions & {
  /** Sent as JSON. */
  body?: unknown;
  /** A limit below the client's. */
  maxResponseBytes?: number | undefined;
  method: "GET" | "POST";
  /** For messages: the end of "Timed out … while". */
  operation: string;
  path: string;
  query?: Query | undefined;
  /** Whether the call has no side effects, so that it may be repeated. */
  safe: boolean;
  /** What a 2xx body must be. */
  schema: Schema;
};
