import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What came in, what went out, and how far the chains were searched. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createDeposits(database);
  await createTransactions(database);
  const { integer } = columnTypes(database);
  await database.schema
    .createTable("cursors")
    .addColumn("chain_id", integer, (column) => column.primaryKey())
    .addColumn("next_block", integer, (column) => column.notNull())
    .execute();
}

async function createDeposits(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("deposits")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("tx_hash", text, (column) => column.notNull())
    .addColumn("block_number", integer, (column) => column.notNull())
    .addColumn("block_hash", text)
    .addColumn("block_at", integer)
    .addColumn("tag", text, (column) => column.notNull())
    .addColumn("request_id", text, (column) => column.references("requests.id"))
    .addColumn("depositor", text, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("outcome", text, (column) => column.notNull())
    .addColumn("reason", text)
    .addColumn("tx_status", text, (column) => column.notNull().defaultTo("success"))
    .addColumn("fee", text)
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("tx_data", text)
    .addColumn("state_changes", text)
    .execute();
  for (const column of ["request_id", "outcome"]) {
    await database.schema.createIndex(`deposits_${column}`).on("deposits").column(column).execute();
  }
}

async function createTransactions(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("transactions")
    .addColumn("id", serial)
    .addColumn("deposit_id", text, (column) => column.notNull().references("deposits.id"))
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("nonce", integer, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("block_number", integer)
    .addColumn("block_hash", text)
    .addColumn("block_at", integer)
    .addColumn("gas_used", integer)
    .addColumn("fee", text)
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("raw", text, (column) => column.notNull())
    .addColumn("tx_data", text)
    .addColumn("state_changes", text)
    .addColumn("replaced_by", integer, (column) =>
      // At the commit: a copy of the table is restored in no particular order.
      column.references("transactions.id").modifyEnd(sql`deferrable initially deferred`),
    )
    .addColumn("delivered", text)
    .addColumn("refund_fail_reason", text)
    .addColumn("details", text)
    .execute();
  for (const column of ["state", "request_id"]) {
    await database.schema.createIndex(`transactions_${column}`).on("transactions").column(column).execute();
  }
  // Nothing is filled or refunded twice, whatever the code above believes.
  await sql`create unique index one_of_a_kind on transactions (deposit_id, kind)
    where kind <> 'cancel' and replaced_by is null`.execute(database);
  // A payment and the cancel that replaces it share a nonce.
  await sql`create unique index one_for_each_nonce on transactions (chain_id, nonce, (kind = 'cancel'))`.execute(
    database,
  );
  await sql`create index transactions_replaced on transactions (replaced_by)
    where replaced_by is not null`.execute(database);
}
