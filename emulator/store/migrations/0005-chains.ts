import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** The chains that the database belongs to, how far each was searched, and the last blocks searched, which reveal reorgs. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("chains")
    .addColumn("chain_id", integer, (column) => column.primaryKey())
    .addColumn("genesis_hash", text, (column) => column.notNull())
    .addColumn("contracts", text, (column) => column.notNull())
    .addColumn("currencies", text, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("cursors")
    .addColumn("chain_id", integer, (column) => column.primaryKey())
    .addColumn("next_block", integer, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("blocks")
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("number", integer, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("one_block_a_number", ["chain_id", "number"])
    .execute();
}
