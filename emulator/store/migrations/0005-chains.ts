import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Which chains the database belongs to, and where the service's contracts are on them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("chains")
    .addColumn("chain_id", integer, (column) => column.primaryKey())
    .addColumn("genesis_hash", text, (column) => column.notNull())
    .addColumn("contracts", text, (column) => column.notNull())
    .addColumn("currencies", text, (column) => column.notNull())
    .execute();
}
