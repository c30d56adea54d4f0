import type { Generated } from "kysely";
import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";

/** Webhook endpoints, one per API key. */
export type WebhooksTable = {
  api_key_id: string;
  url: string;
  is_enabled: 0 | 1;
  /** JSON: custom headers by name. */
  headers: string;
  /** `seq` of the last event processed for this endpoint. */
  position: number;
  created_at: number;
  updated_at: number;
};

/** One row per event and endpoint, and one more per resend or test. */
export type WebhookDeliveriesTable = {
  id: Generated<number>;
  api_key_id: string;
  /** No foreign key: a delivery outlives its request, and a test has none. */
  request_id: string;
  /** `null` for resends and tests. */
  event_seq: number | null;
  resend_of: number | null;
  kind: "event" | "resend" | "test";
  status: RequestStatus;
  /** The exact body. */
  payload: string;
  /** Order within the request; equal ranks are ordered by `id`. */
  rank: number;
  /** Fault of the delivery. */
  fault: "drop" | "duplicate" | "reorder" | null;
  /** `failed` ran out of attempts, `dropped` was lost by a fault, `cancelled` lost its endpoint. */
  state: "pending" | "delivered" | "failed" | "dropped" | "cancelled";
  attempts: number;
  /** Earliest next attempt by the emulator's clock. */
  next_at: number;
  /** The process that is posting it, and the end of its claim (wall clock). */
  claimed_by: string | null;
  claimed_until: number | null;
  created_at: number;
  finished_at: number | null;
};

/** One POST of a delivery. */
export type WebhookAttemptsTable = {
  id: Generated<number>;
  delivery_id: number;
  at: number;
  /** `null` without an answer. */
  status_code: number | null;
  /** Reason of the missing answer. */
  error: string | null;
  duration_ms: number;
  /** Start of the answer's body. */
  answer: string | null;
};
