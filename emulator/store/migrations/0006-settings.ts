import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What was set by hand and outlives a restart. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .createTable("settings")
    .addColumn("key", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();
}
