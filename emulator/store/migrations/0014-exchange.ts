import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** The ledger of the perps exchange, and the statements that link its transfers to orders. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("exchange_balances")
    .addColumn("account", text, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("one_balance_a_currency", ["account", "currency"])
    .execute();
  await database.schema
    .createTable("exchange_actions")
    .addColumn("id", integer, (column) => column.primaryKey())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("account", text, (column) => column.notNull())
    .addColumn("nonce", integer, (column) => column.notNull())
    .addColumn("destination", text, (column) => column.notNull())
    .addColumn("sent_currency", text, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("error", text)
    .addColumn("request", text, (column) => column.notNull())
    .addUniqueConstraint("one_action_a_nonce", ["account", "nonce"])
    .execute();
  await sql`create index exchange_transfers on exchange_actions (destination, id) where error is null`.execute(
    database,
  );
  await database.schema
    .createTable("nonce_mappings")
    .addColumn("order_id", text, (column) => column.primaryKey())
    .addColumn("wallet", text, (column) => column.notNull())
    .addColumn("nonce", integer, (column) => column.notNull())
    .addColumn("depositor", text, (column) => column.notNull())
    .addColumn("signature_chain_id", integer, (column) => column.notNull())
    .addColumn("signature", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addUniqueConstraint("one_order_a_nonce", ["wallet", "nonce"])
    .execute();
}
