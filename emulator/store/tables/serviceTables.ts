import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import { integer, integerOrNull, serial, table, text, textOrNull } from "../table.ts";

/** The chains that the database belongs to, settings of the control, and webhooks. */
export const serviceTables = {
  /** See `ChainRecord`. */
  chains: table({
    chain_id: integer("primary key"),
    genesis_hash: text(),
    contracts: text(),
    currencies: text(),
  }),
  /** Next block of each chain to search for deposits. */
  cursors: table({
    chain_id: integer("primary key"),
    next_block: integer(),
  }),
  /** The last searched blocks, which reveal reorgs. */
  blocks: table(
    {
      chain_id: integer(),
      number: integer(),
      hash: text(),
    },
    ["primary key (chain_id, number)"],
  ),
  /** Secrets of the emulator itself, by name. */
  secrets: table({
    name: text("primary key"),
    value: text(),
  }),
  /** JSON by name. */
  settings: table({
    key: text("primary key"),
    value: text(),
  }),
  /** Every change of prices; see `PriceHistory`. */
  price_changes: table(
    {
      seq: serial(),
      at: integer(),
      /** JSON of the whole table; see `PriceTable`. */
      prices: text(),
    },
    [],
    ["create index price_changes_at on price_changes (at)"],
  ),
  /** Append-only log of control actions and fired faults. */
  control_log: table({
    seq: serial(),
    at: integer(),
    kind: text(),
    fault_id: textOrNull(),
    request_id: textOrNull(),
    /** JSON. */
    data: text(),
  }),
  /** Webhook endpoints, one per API key. */
  webhooks: table({
    api_key_id: text("primary key references api_keys (id)"),
    url: text(),
    is_enabled: integer<0 | 1>(),
    /** JSON: custom headers by name. */
    headers: text(),
    /** `seq` of the last event processed for this endpoint. */
    position: integer(),
    created_at: integer(),
    updated_at: integer(),
  }),
  // One delivery of an event to an endpoint, however many processes read the log.
  /** One row per event and endpoint, and one more per resend or test. */
  webhook_deliveries: table(
    {
      id: serial(),
      api_key_id: text("references api_keys (id)"),
      /** No foreign key: a delivery outlives its request, and a test has none. */
      request_id: text(),
      /** `null` for resends and tests. */
      event_seq: integerOrNull(),
      resend_of: integerOrNull(),
      kind: text<"event" | "resend" | "test">(),
      status: text<RequestStatus>(),
      /** The exact body. */
      payload: text(),
      /** Fault of the delivery. */
      fault: textOrNull<"drop" | "duplicate" | "reorder">(),
      /** `failed` ran out of attempts, `dropped` was lost by a fault, `cancelled` lost its endpoint. */
      state: text<"pending" | "delivered" | "failed" | "dropped" | "cancelled">(),
      attempts: integer(),
      /** Earliest next attempt by the emulator's clock. */
      next_at: integer(),
      /** The process that is posting it, and the end of its claim (wall clock). */
      claimed_by: textOrNull(),
      claimed_until: integerOrNull(),
      created_at: integer(),
      finished_at: integerOrNull(),
    },
    ["unique (api_key_id, event_seq)"],
    [
      "create index webhook_deliveries_due on webhook_deliveries (state, api_key_id, next_at)",
      "create index webhook_deliveries_request on webhook_deliveries (request_id, state)",
    ],
  ),
  /** One POST of a delivery. */
  webhook_attempts: table(
    {
      id: serial(),
      delivery_id: integer("references webhook_deliveries (id)"),
      at: integer(),
      /** `null` without an answer. */
      status_code: integerOrNull(),
      /** Reason of the missing answer. */
      error: textOrNull(),
      duration_ms: integer(),
      /** Start of the answer's body. */
      answer: textOrNull(),
    },
    [],
    ["create index webhook_attempts_delivery on webhook_attempts (delivery_id)"],
  ),
};
