import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** API keys, and the emulator's own secrets. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("api_keys")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("key", text, (column) => column.notNull().unique())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("is_elevated", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("revoked_at", integer)
    .execute();
  await database.schema
    .createTable("secrets")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();
}
