import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Deposits, the solver's transactions for them, and users' same-chain transactions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createDeposits(database);
  await createTransactions(database);
  await createSameChainTransactions(database);
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
    .addColumn("tx_from", text)
    .addColumn("tx_to", text)
    .addColumn("tx_value", text)
    .addColumn("paid", text)
    .addColumn("todo", text)
    .addColumn("not_before", integer)
    .addColumn("claimed_until", integer)
    .execute();
  for (const column of ["request_id", "outcome"]) {
    await database.schema.createIndex(`deposits_${column}`).on("deposits").column(column).execute();
  }
  // Keeps the query for pending work fast, however many deposits are settled.
  await sql`create index deposits_todo on deposits (at, id) where todo is not null`.execute(database);
  await sql`create index deposits_blocks on deposits (chain_id, block_number)`.execute(database);
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
    .addColumn("replaced_by", integer, (column) =>
      // At the commit: a copy of the table is restored in no particular order.
      column.references("transactions.id").modifyEnd(sql`deferrable initially deferred`),
    )
    .addColumn("refund_fail_reason", text)
    .addColumn("details", text)
    .execute();
  for (const column of ["state", "request_id"]) {
    await database.schema.createIndex(`transactions_${column}`).on("transactions").column(column).execute();
  }
  await database.schema.createIndex("transactions_deposit").on("transactions").column("deposit_id").execute();
  // A reorg finds the transactions that it moved by their block.
  await database.schema
    .createIndex("transactions_block")
    .on("transactions")
    .columns(["chain_id", "block_number"])
    .execute();
  // A deposit is filled or refunded once, even if the code fails to check.
  await sql`create unique index one_of_a_kind on transactions (deposit_id, kind)
    where kind <> 'cancel' and replaced_by is null`.execute(database);
  // A payment and the cancel that replaces it share a nonce.
  await sql`create unique index one_for_each_nonce on transactions (chain_id, nonce, (kind = 'cancel'))`.execute(
    database,
  );
  await sql`create index transactions_replaced on transactions (replaced_by)
    where replaced_by is not null`.execute(database);
}

async function createSameChainTransactions(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("same_chain_transactions")
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("block_number", integer, (column) => column.notNull())
    .addColumn("block_hash", text, (column) => column.notNull())
    .addColumn("block_at", integer, (column) => column.notNull())
    .addColumn("from_address", text, (column) => column.notNull())
    .addColumn("tx_to", text)
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("fee", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("tx_data", text, (column) => column.notNull())
    .addColumn("paid", text)
    .addPrimaryKeyConstraint("same_chain_transactions_once", ["request_id", "hash"])
    .execute();
}
