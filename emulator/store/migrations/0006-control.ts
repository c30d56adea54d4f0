import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Settings of the control, every change of prices, and the log of control actions and fired faults. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("settings")
    .addColumn("key", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("price_changes")
    .addColumn("seq", serial)
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("prices", text, (column) => column.notNull())
    .execute();
  await database.schema.createIndex("price_changes_at").on("price_changes").column("at").execute();
  await database.schema
    .createTable("control_log")
    .addColumn("seq", serial)
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("fault_id", text)
    .addColumn("request_id", text)
    .addColumn("data", text, (column) => column.notNull())
    .execute();
}
