import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Deposit addresses, and the payments to them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("deposit_addresses")
    .addColumn("address", text, (column) => column.primaryKey())
    .addColumn("request_id", text, (column) => column.notNull().unique().references("requests.id"))
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("refund_to", text)
    .addColumn("quote_request", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("reindexed_at", integer)
    .execute();
  await database.schema
    .createIndex("deposit_addresses_chain")
    .on("deposit_addresses")
    .column("chain_id")
    .execute();
  await database.schema
    .createTable("address_payments")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("address", text, (column) => column.notNull().references("deposit_addresses.address"))
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("sender", text)
    .addColumn("tx_hash", text)
    .addColumn("block_number", integer)
    .addColumn("state", text, (column) => column.notNull())
    // A request is opened for one payment, even if the code fails to check.
    .addColumn("request_id", text, (column) => column.unique().references("requests.id"))
    .addColumn("at", integer, (column) => column.notNull())
    .execute();
  for (const column of ["address", "tx_hash"]) {
    await database.schema
      .createIndex(`address_payments_${column}`)
      .on("address_payments")
      .column(column)
      .execute();
  }
  // Keeps the query for new payments fast, however many payments are swept.
  await sql`create index address_payments_found on address_payments (chain_id, at, id) where state = 'found'`.execute(
    database,
  );
  await sql`create index address_payments_block on address_payments (chain_id, block_number)`.execute(
    database,
  );
}
