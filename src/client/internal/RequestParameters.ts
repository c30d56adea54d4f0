import type * as z from "zod/mini";
import type { Query } from "../../internal/joinUrl.ts";
import type { CallOptions } from "./CallOptions.ts";

/** Parameters of an API call. */
export type RequestParameters<Schema extends z.ZodMiniType> = CallOptions & {
  /** Sent as JSON. */
  body?: unknown;
  /** Overrides the client's limit when lower. */
  maxResponseBytes?: number | undefined;
  method: "DELETE" | "GET" | "POST" | "PUT";
  /** Completes "Timed out … while" in messages. */
  operation: string;
  path: string;
  query?: Query | undefined;
  /** Whether the call has no side effects and may be retried. */
  safe: boolean;
  /** Schema of a 2xx body. */
  schema: Schema;
};
