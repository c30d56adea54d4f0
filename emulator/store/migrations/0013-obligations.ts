import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Payments of the solver without a deposit: claims of app fees, and fast fills. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .alterTable("deposits")
    .addColumn("source", text, (column) => column.notNull().defaultTo("payment"))
    .execute();
  await database.schema.alterTable("deposits").addColumn("covers", text).execute();
  await database.schema
    .createTable("app_fee_claims")
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("place", integer, (column) => column.notNull())
    .addColumn("wallet", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("currency", text, (column) => column.notNull())
    .addColumn("amount", text, (column) => column.notNull())
    .addColumn("signature", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    // A claim is debited once, even if the code fails to check.
    .addPrimaryKeyConstraint("app_fee_claims_once", ["request_id", "place"])
    .execute();
  await database.schema.createIndex("app_fee_claims_wallet").on("app_fee_claims").column("wallet").execute();
  await database.schema
    .createTable("fast_fills")
    .addColumn("request_id", text, (column) => column.primaryKey().references("requests.id"))
    .addColumn("api_key_id", text, (column) => column.notNull().references("api_keys.id"))
    .addColumn("wallet", text)
    .addColumn("amount_usd", integer, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .execute();
  for (const column of ["api_key_id", "wallet"]) {
    await database.schema.createIndex(`fast_fills_${column}`).on("fast_fills").column(column).execute();
  }
  await sql`create index deposits_covers on deposits (covers) where covers is not null`.execute(database);
  // A claim is paid once and a request advanced once, even if the code fails to check.
  await sql`create unique index one_obligation_a_request on deposits (request_id)
    where source <> 'payment'`.execute(database);
  // A request is filled for its deposit or for its advance, never for both.
  await sql`create unique index one_fill_a_request on transactions (request_id)
    where kind = 'fill' and replaced_by is null`.execute(database);
}
