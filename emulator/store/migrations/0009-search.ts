import { type Kysely, sql } from "kysely";

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
const indexes = [
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

/** Indexes that searches and the solver find requests by. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const index of indexes) await sql.raw(`create index ${index}`).execute(database);
}
