import type { ColumnTypes } from "../dialect/columnTypes.ts";

/** API keys, requests with what they are found by, and the append-only log of their changes. */
export const requestSchema = ({ integer, serial, text }: ColumnTypes): readonly string[] => [
  `create table api_keys (
    id ${text} primary key,
    key ${text} not null unique,
    name ${text} not null,
    is_elevated ${integer} not null,
    created_at ${integer} not null,
    revoked_at ${integer}
  )`,
  `create table request_routes (
    id ${serial},
    request_type ${text} not null,
    origin_chain_id ${integer} not null,
    destination_chain_id ${integer} not null,
    currency_in ${text} not null,
    currency_out ${text} not null,
    currency_in_symbol ${text} not null,
    currency_out_symbol ${text} not null,
    unique (request_type, origin_chain_id, destination_chain_id,
      currency_in, currency_out, currency_in_symbol, currency_out_symbol)
  )`,
  // Columns of any length come last: SQLite reads a row from its beginning, so the columns before them stay on one page.
  `create table requests (
    id ${text} primary key,
    order_id ${text} not null unique,
    status ${text} not null,
    request_type ${text} not null,
    "user" ${text} not null,
    sender ${text} not null,
    recipient ${text} not null,
    refund_to ${text} not null,
    referrer ${text},
    api_key_id ${text} references api_keys (id),
    deposit_address ${text},
    parent_id ${text} references requests (id),
    origin_chain_id ${integer} not null,
    destination_chain_id ${integer} not null,
    currency_in ${text} not null,
    currency_out ${text} not null,
    currency_in_symbol ${text} not null,
    currency_out_symbol ${text} not null,
    amount_usd ${integer} not null,
    app_fees_usd ${integer} not null,
    sponsored_usd ${text},
    fill_time_ms ${integer},
    delivered ${text},
    origin_block ${integer},
    fail_reason ${text},
    refund_fail_reason ${text},
    failed_tx_hash ${text},
    failed_tx_block ${integer},
    expires_at ${integer},
    created_at ${integer} not null,
    updated_at ${integer} not null,
    partner_id ${text},
    route_id ${integer},
    features ${integer} not null,
    details ${text},
    failed_call ${text},
    intent ${text} not null,
    quote ${text} not null
  )`,
  ...searchIndexes.map((index) => `create index ${index}`),
  `create table request_hashes (
    hash ${text} not null,
    kind ${text} not null,
    request_id ${text} not null references requests (id),
    primary key (hash, kind, request_id)
  )`,
  "create index request_hashes_request on request_hashes (request_id)",
  `create table request_features (
    request_id ${text} not null references requests (id),
    feature ${text} not null,
    primary key (request_id, feature)
  )`,
  `create table events (
    seq ${serial},
    request_id ${text} not null references requests (id),
    trigger ${text} not null,
    status ${text} not null,
    data ${text} not null,
    at ${integer} not null
  )`,
  "create index events_request on events (request_id, seq)",
];

/** The columns that most searches sort and filter by. All are short. */
const facts = [
  ...["id", "created_at", "updated_at", "amount_usd", "route_id", "status", "fail_reason"],
  ...["refund_fail_reason", "origin_block", "app_fees_usd", "fill_time_ms", "features", "api_key_id"],
];

/** An index with all facts: a search that follows it reads no rows. */
function wide(first: string): string {
  return `on requests (${[first, ...facts.filter((fact) => fact !== first)].join(", ")})`;
}

/**
 * A quote is entered in the first six, and in those of its key, referrer, fees and features. The others leave out requests
 * that wait or have nothing of their kind.
 */
const searchIndexes = [
  `requests_created ${wide("created_at")}`,
  `requests_updated ${wide("updated_at")}`,
  `requests_amount ${wide("amount_usd")}`,
  'requests_user on requests ("user", created_at, id)',
  "requests_recipient on requests (recipient, created_at, id)",
  "requests_route on requests (route_id)",
  "requests_api_key on requests (api_key_id, created_at, id) where api_key_id is not null",
  "requests_referrer on requests (referrer, created_at, id) where referrer is not null",
  `requests_app_fees ${wide("app_fees_usd")} where app_fees_usd > 0`,
  `requests_features ${wide("features")} where features > 0`,
  "requests_deposit_address on requests (deposit_address) where deposit_address is not null",
  "requests_parent on requests (parent_id) where parent_id is not null",
  `requests_status ${wide("status")} where status not in ('success', 'waiting')`,
  `requests_fail_reason ${wide("fail_reason")} where fail_reason is not null`,
  `requests_refund_fail_reason ${wide("refund_fail_reason")} where refund_fail_reason is not null`,
  "requests_origin_block on requests (origin_block) where origin_block is not null",
  "requests_fill_time on requests (fill_time_ms) where fill_time_ms is not null",
  // Of requests that wait for a transaction of their user alone.
  `requests_own on requests (origin_chain_id)
    where status = 'waiting' and origin_chain_id = destination_chain_id`,
];
