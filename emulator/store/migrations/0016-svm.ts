import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** The log of the SVM chain. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("svm_entries")
    .addColumn("slot", integer, (column) => column.primaryKey())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("data", text, (column) => column.notNull())
    .addColumn("blockhash", text, (column) => column.notNull().unique())
    // A transaction is executed once, even if the code fails to check.
    .addColumn("signature", text, (column) => column.unique())
    // A payer can sign one message in many ways; the other signers agreed to one execution.
    .addColumn("message_hash", text, (column) => column.unique())
    .addColumn("outcome", text)
    .addColumn("at", integer, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("svm_account_entries")
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("slot", integer, (column) => column.notNull().references("svm_entries.slot"))
    .addPrimaryKeyConstraint("svm_account_entries_once", ["address", "slot"])
    .execute();
}
