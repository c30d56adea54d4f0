import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Requests, the transactions and routes that a request is found by, and the features that it used. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createRoutes(database);
  await createRequests(database);
  await createHashes(database);
  await createFeatures(database);
}

async function createRoutes(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("request_routes")
    .addColumn("id", serial)
    .addColumn("request_type", text, (column) => column.notNull())
    .addColumn("origin_chain_id", integer, (column) => column.notNull())
    .addColumn("destination_chain_id", integer, (column) => column.notNull())
    .addColumn("currency_in", text, (column) => column.notNull())
    .addColumn("currency_out", text, (column) => column.notNull())
    .addColumn("currency_in_symbol", text, (column) => column.notNull())
    .addColumn("currency_out_symbol", text, (column) => column.notNull())
    .addUniqueConstraint("request_routes_once", [
      "request_type",
      "origin_chain_id",
      "destination_chain_id",
      "currency_in",
      "currency_out",
      "currency_in_symbol",
      "currency_out_symbol",
    ])
    .execute();
}

async function createRequests(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("requests")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("order_id", text, (column) => column.notNull().unique())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("request_type", text, (column) => column.notNull())
    .addColumn("user", text, (column) => column.notNull())
    .addColumn("sender", text, (column) => column.notNull())
    .addColumn("recipient", text, (column) => column.notNull())
    .addColumn("refund_to", text, (column) => column.notNull())
    .addColumn("referrer", text)
    .addColumn("api_key_id", text, (column) => column.references("api_keys.id"))
    .addColumn("deposit_address", text)
    .addColumn("parent_id", text, (column) => column.references("requests.id"))
    .addColumn("origin_chain_id", integer, (column) => column.notNull())
    .addColumn("destination_chain_id", integer, (column) => column.notNull())
    .addColumn("currency_in", text, (column) => column.notNull())
    .addColumn("currency_out", text, (column) => column.notNull())
    .addColumn("currency_in_symbol", text, (column) => column.notNull())
    .addColumn("currency_out_symbol", text, (column) => column.notNull())
    .addColumn("amount_usd", integer, (column) => column.notNull())
    .addColumn("app_fees_usd", integer, (column) => column.notNull())
    .addColumn("fill_time_ms", integer)
    .addColumn("delivered", text)
    .addColumn("origin_block", integer)
    .addColumn("fail_reason", text)
    .addColumn("refund_fail_reason", text)
    .addColumn("failed_tx_hash", text)
    .addColumn("failed_tx_block", integer)
    .addColumn("expires_at", integer)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addColumn("partner_id", text)
    .addColumn("route_id", integer)
    .addColumn("features", integer, (column) => column.notNull())
    // Columns of any length come last: SQLite reads a row from its beginning, so the columns above stay on one page.
    .addColumn("details", text)
    .addColumn("failed_call", text)
    .addColumn("intent", text, (column) => column.notNull())
    .addColumn("quote", text, (column) => column.notNull())
    .execute();
}

async function createHashes(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .createTable("request_hashes")
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addPrimaryKeyConstraint("request_hashes_once", ["hash", "kind", "request_id"])
    .execute();
  await database.schema
    .createIndex("request_hashes_request")
    .on("request_hashes")
    .column("request_id")
    .execute();
}

async function createFeatures(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .createTable("request_features")
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("feature", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("request_features_once", ["request_id", "feature"])
    .execute();
}
