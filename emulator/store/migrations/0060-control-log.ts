import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What was done to the emulator on purpose, and the faults that fired. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
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
