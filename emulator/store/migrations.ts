import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Tables } from "./tables.ts";

/** In order of their names; one that has shipped is never changed. */
export const migrations: Record<string, Migration> = {
  "0001-requests": {
    async up(database: Kysely<Tables>) {
      await database.schema
        .createTable("requests")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("order_id", "text", (column) => column.notNull().unique())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("user", "text", (column) => column.notNull())
        .addColumn("recipient", "text", (column) => column.notNull())
        .addColumn("origin_chain_id", "integer", (column) => column.notNull())
        .addColumn("destination_chain_id", "integer", (column) => column.notNull())
        .addColumn("intent", "text", (column) => column.notNull())
        .addColumn("fail_reason", "text")
        .addColumn("refund_fail_reason", "text")
        .addColumn("details", "text")
        .addColumn("created_at", "integer", (column) => column.notNull())
        .addColumn("updated_at", "integer", (column) => column.notNull())
        .execute();
      await database.schema.createIndex("requests_status").on("requests").column("status").execute();
      await database.schema
        .createTable("events")
        .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
        .addColumn("request_id", "text", (column) => column.notNull().references("requests.id"))
        .addColumn("trigger", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("data", "text", (column) => column.notNull())
        .addColumn("at", "integer", (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex("events_request")
        .on("events")
        .columns(["request_id", "seq"])
        .execute();
    },
  },
  "0002-money": {
    async up(database: Kysely<Tables>) {
      await database.schema
        .createTable("deposits")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("chain_id", "integer", (column) => column.notNull())
        .addColumn("tx_hash", "text", (column) => column.notNull())
        .addColumn("block_number", "integer", (column) => column.notNull())
        .addColumn("tag", "text", (column) => column.notNull())
        .addColumn("request_id", "text", (column) => column.references("requests.id"))
        .addColumn("depositor", "text", (column) => column.notNull())
        .addColumn("currency", "text", (column) => column.notNull())
        .addColumn("amount", "text", (column) => column.notNull())
        .addColumn("outcome", "text", (column) => column.notNull())
        .addColumn("reason", "text")
        .addColumn("at", "integer", (column) => column.notNull())
        .execute();
      await database.schema.createIndex("deposits_request").on("deposits").column("request_id").execute();
      await database.schema
        .createTable("transactions")
        .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
        .addColumn("deposit_id", "text", (column) => column.notNull().references("deposits.id"))
        .addColumn("request_id", "text", (column) => column.notNull().references("requests.id"))
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("chain_id", "integer", (column) => column.notNull())
        .addColumn("nonce", "integer", (column) => column.notNull())
        .addColumn("hash", "text", (column) => column.notNull().unique())
        .addColumn("raw", "text", (column) => column.notNull())
        .addColumn("state", "text", (column) => column.notNull())
        .addColumn("at", "integer", (column) => column.notNull())
        // Nothing is filled or refunded twice, whatever the code above believes.
        .addUniqueConstraint("one_of_a_kind", ["deposit_id", "kind"])
        .addUniqueConstraint("one_for_each_nonce", ["chain_id", "nonce"])
        .execute();
      await database.schema.createIndex("transactions_state").on("transactions").column("state").execute();
      await database.schema
        .createTable("cursors")
        .addColumn("chain_id", "integer", (column) => column.primaryKey())
        .addColumn("next_block", "integer", (column) => column.notNull())
        .execute();
    },
  },
};
