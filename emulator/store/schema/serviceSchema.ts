import type { ColumnTypes } from "../dialect/columnTypes.ts";

/** The chains that the database belongs to, settings of the control, and webhooks. */
export const serviceSchema = ({ integer, serial, text }: ColumnTypes): readonly string[] => [
  `create table chains (
    chain_id ${integer} primary key,
    genesis_hash ${text} not null,
    contracts ${text} not null,
    currencies ${text} not null
  )`,
  `create table cursors (
    chain_id ${integer} primary key,
    next_block ${integer} not null
  )`,
  `create table blocks (
    chain_id ${integer} not null,
    number ${integer} not null,
    hash ${text} not null,
    primary key (chain_id, number)
  )`,
  `create table secrets (
    name ${text} primary key,
    value ${text} not null
  )`,
  `create table settings (
    key ${text} primary key,
    value ${text} not null
  )`,
  `create table price_changes (
    seq ${serial},
    at ${integer} not null,
    prices ${text} not null
  )`,
  "create index price_changes_at on price_changes (at)",
  `create table control_log (
    seq ${serial},
    at ${integer} not null,
    kind ${text} not null,
    fault_id ${text},
    request_id ${text},
    data ${text} not null
  )`,
  `create table webhooks (
    api_key_id ${text} primary key references api_keys (id),
    url ${text} not null,
    is_enabled ${integer} not null,
    headers ${text} not null,
    position ${integer} not null,
    created_at ${integer} not null,
    updated_at ${integer} not null
  )`,
  // One delivery of an event to an endpoint, however many processes read the log.
  `create table webhook_deliveries (
    id ${serial},
    api_key_id ${text} not null references api_keys (id),
    request_id ${text} not null,
    event_seq ${integer},
    resend_of ${integer},
    kind ${text} not null,
    status ${text} not null,
    payload ${text} not null,
    rank ${integer} not null,
    fault ${text},
    state ${text} not null,
    attempts ${integer} not null,
    next_at ${integer} not null,
    claimed_by ${text},
    claimed_until ${integer},
    created_at ${integer} not null,
    finished_at ${integer},
    unique (api_key_id, event_seq)
  )`,
  "create index webhook_deliveries_due on webhook_deliveries (state, api_key_id, next_at)",
  "create index webhook_deliveries_request on webhook_deliveries (request_id, state)",
  `create table webhook_attempts (
    id ${serial},
    delivery_id ${integer} not null references webhook_deliveries (id),
    at ${integer} not null,
    status_code ${integer},
    error ${text},
    duration_ms ${integer} not null,
    answer ${text}
  )`,
  "create index webhook_attempts_delivery on webhook_attempts (delivery_id)",
];
