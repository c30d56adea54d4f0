import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Users' own transactions that do all that a request asks for. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("own_transactions")
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("block_number", integer, (column) => column.notNull())
    .addColumn("block_hash", text, (column) => column.notNull())
    .addColumn("block_at", integer, (column) => column.notNull())
    .addColumn("from_address", text, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("fee", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("tx_data", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("own_transactions_once", ["request_id", "hash"])
    .execute();
}
