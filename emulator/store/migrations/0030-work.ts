import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What the solver still has to do, so that finding it does not take longer the more has been done. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema.alterTable("deposits").addColumn("todo", text).execute();
  await database.schema.alterTable("deposits").addColumn("not_before", integer).execute();
  await database.schema.alterTable("deposits").addColumn("claimed_until", integer).execute();
  await database.schema.createIndex("transactions_deposit").on("transactions").column("deposit_id").execute();
  for (const [kind, outcome] of [
    ["fill", "accepted"],
    ["refund", "refused"],
  ] as const) {
    await sql`
      update deposits set todo = ${sql.lit(kind)} where outcome = ${sql.lit(outcome)} and not exists (
        select 1 from transactions
        where transactions.deposit_id = deposits.id and transactions.kind = ${sql.lit(kind)}
      )`.execute(database);
  }
  await sql`create index deposits_todo on deposits (at, id) where todo is not null`.execute(database);
  await sql`create index deposits_blocks on deposits (chain_id, block_number)`.execute(database);
}
