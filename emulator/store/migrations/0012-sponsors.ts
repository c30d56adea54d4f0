import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Sponsors' balances with their ledger, and the sponsors' part of each request's fees. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema.alterTable("requests").addColumn("sponsored_usd", text).execute();
  await database.schema
    .createTable("sponsors")
    .addColumn("api_key_id", text, (column) => column.primaryKey().references("api_keys.id"))
    .addColumn("balance", text, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("sponsor_entries")
    .addColumn("seq", serial)
    .addColumn("api_key_id", text, (column) => column.notNull().references("sponsors.api_key_id"))
    .addColumn("request_id", text, (column) => column.references("requests.id"))
    .addColumn("turn", integer)
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    // Two processes cannot charge one fill twice.
    .addUniqueConstraint("sponsor_entries_once", ["request_id", "turn"])
    .execute();
  await database.schema
    .createIndex("sponsor_entries_key")
    .on("sponsor_entries")
    .columns(["api_key_id", "seq"])
    .execute();
}
