import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Deposits that the service sends for their users, and integrators' earnings. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("relayed_deposits")
    // A request takes one such deposit, even if the code fails to check.
    .addColumn("request_id", text, (column) => column.primaryKey().references("requests.id"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("payload", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("nonce", integer)
    .addColumn("hash", text, (column) => column.unique())
    .addColumn("raw", text)
    .addColumn("block_number", integer)
    .addColumn("block_hash", text)
    .addColumn("block_at", integer)
    .addColumn("gas_used", integer)
    .addColumn("fee", text)
    .addColumn("at", integer, (column) => column.notNull())
    .addUniqueConstraint("relayed_deposits_one_for_each_nonce", ["chain_id", "nonce"])
    .execute();
  await database.schema
    .createIndex("relayed_deposits_state")
    .on("relayed_deposits")
    .columns(["state", "at"])
    .execute();
  await database.schema
    .createIndex("relayed_deposits_block")
    .on("relayed_deposits")
    .columns(["chain_id", "block_number"])
    .execute();
  await database.schema
    .createTable("app_fees")
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("place", integer, (column) => column.notNull())
    .addColumn("recipient", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("bps", integer, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    // A request that ends in success pays each share once.
    .addPrimaryKeyConstraint("app_fees_once", ["request_id", "place"])
    .execute();
  await database.schema
    .createIndex("app_fees_recipient")
    .on("app_fees")
    .columns(["recipient", "chain_id", "currency"])
    .execute();
}
