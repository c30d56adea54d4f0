import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** The last blocks that were searched, by which it is noticed that a chain was reorganised. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("blocks")
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("number", integer, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("one_block_a_number", ["chain_id", "number"])
    .execute();
}
