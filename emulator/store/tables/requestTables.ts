import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import { integer, integerOrNull, serial, table, text, textOrNull } from "../table.ts";

/** Request type, as `GET /requests/v3` names it. */
export type RequestType =
  | "Bridge"
  | "Crosschain Swap"
  | "Same-chain Swap"
  | "Send"
  | "Wrap"
  | "Unwrap"
  | "Call";

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

/** API keys, requests with what they are found by, and the append-only log of their changes. */
export const requestTables = {
  /** Keys are stored in clear: webhooks are signed with them. Revoked keys stay for the requests that refer to them. */
  api_keys: table({
    id: text("primary key"),
    key: text("unique"),
    name: text(),
    is_elevated: integer<0 | 1>(),
    created_at: integer(),
    revoked_at: integerOrNull(),
  }),
  /**
   * Combinations of chains, currencies and type that requests have: far fewer than requests, so that conditions on them are
   * checked once each. Symbols are in lower case.
   */
  request_routes: table(
    {
      id: serial(),
      request_type: text<RequestType>(),
      origin_chain_id: integer(),
      destination_chain_id: integer(),
      currency_in: text(),
      currency_out: text(),
      currency_in_symbol: text(),
      currency_out_symbol: text(),
    },
    [
      "unique (request_type, origin_chain_id, destination_chain_id, currency_in, currency_out, currency_in_symbol, currency_out_symbol)",
    ],
  ),
  // Columns of any length come last: SQLite reads a row from its beginning, so the columns before them stay on one page.
  /** One row per quote. */
  requests: table(
    {
      id: text("primary key"),
      order_id: text("unique"),
      status: text<RequestStatus>(),
      request_type: text<RequestType>(),
      user: text(),
      sender: text(),
      recipient: text(),
      /** Receives refunds; `null` if the quote named no account and nothing is refunded. */
      refund_to: textOrNull(),
      referrer: textOrNull(),
      api_key_id: textOrNull("references api_keys (id)"),
      deposit_address: textOrNull(),
      /** The original request of a duplicate, retry or refund. */
      parent_id: textOrNull("references requests (id)"),
      origin_chain_id: integer(),
      destination_chain_id: integer(),
      currency_in: text(),
      currency_out: text(),
      currency_in_symbol: text(),
      currency_out_symbol: text(),
      /** Worth of the input; see `microDollars`. */
      amount_usd: integer(),
      app_fees_usd: integer(),
      /** The sponsor's part of the fees in millionths of a dollar, as decimal digits; `null` without a sponsor. */
      sponsored_usd: textOrNull(),
      /** Time from the accepted deposit to success. */
      fill_time_ms: integerOrNull(),
      /**
       * Delivered amount in smallest units of the output currency; `null` before success. A refund that was swapped back
       * stores the refunded amount, in the input currency.
       */
      delivered: textOrNull(),
      /** Block of the deposit. */
      origin_block: integerOrNull(),
      fail_reason: textOrNull(),
      refund_fail_reason: textOrNull(),
      failed_tx_hash: textOrNull(),
      failed_tx_block: integerOrNull(),
      expires_at: integerOrNull(),
      created_at: integer(),
      updated_at: integer(),
      /** A partner's own id of the request. */
      partner_id: textOrNull(),
      /** Id in `request_routes`, for searches. */
      route_id: integerOrNull(),
      /** Bits of its rows of `request_features`; see `featureBits`. */
      features: integer(),
      /** Extra context for people, such as a decoded revert. */
      details: textOrNull(),
      /** JSON of the call that failed: `from`, `to`, `data`, `value`. */
      failed_call: textOrNull(),
      /** JSON of the solver's terms; see `Intent`. */
      intent: text(),
      /** JSON of the answer that records repeat; see `StoredQuote`. */
      quote: text(),
    },
    [],
    [...searchIndexes.map((index) => `create index ${index}`)],
  ),
  /** Transactions by which a request is found. */
  request_hashes: table(
    {
      hash: text(),
      kind: text<"deposit" | "fill" | "refund">(),
      request_id: text("references requests (id)"),
    },
    ["primary key (hash, kind, request_id)"],
    ["create index request_hashes_request on request_hashes (request_id)"],
  ),
  /** Features that a request used, such as `app_fees`. */
  request_features: table(
    {
      request_id: text("references requests (id)"),
      feature: text(),
    },
    ["primary key (request_id, feature)"],
  ),
  /**
   * Append-only log of every change of a request, written in the same transaction as the change. Rows become visible in the
   * order of `seq`, across all processes.
   */
  events: table(
    {
      seq: serial(),
      request_id: text("references requests (id)"),
      trigger: text(),
      status: text<RequestStatus>(),
      /** JSON; see `parseEventData`. */
      data: text(),
      at: integer(),
    },
    [],
    ["create index events_request on events (request_id, seq)"],
  ),
};
