import type { Kysely } from "kysely";

/** What the solver sent is looked for by its block, when that is not the chain's any more. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ["transactions", "permits"]) {
    await database.schema
      .createIndex(`${table}_block`)
      .on(table)
      .columns(["chain_id", "block_number"])
      .execute();
  }
}
