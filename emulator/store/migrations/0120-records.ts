import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What records repeat of the chain: the transactions as mined, what was paid, and what it was worth then. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("price_changes")
    .addColumn("seq", serial)
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("prices", text, (column) => column.notNull())
    .execute();
  await database.schema.createIndex("price_changes_at").on("price_changes").column("at").execute();
  const added = {
    deposits: ["tx_from", "tx_to", "tx_value", "paid"],
    own_transactions: ["tx_to", "paid"],
  };
  for (const [table, columns] of Object.entries(added)) {
    for (const column of columns) {
      await database.schema.alterTable(table).addColumn(column, text).execute();
    }
  }
  for (const table of ["deposits", "transactions"]) {
    await database.schema.alterTable(table).dropColumn("state_changes").execute();
  }
}
