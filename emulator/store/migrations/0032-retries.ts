import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Later and later retries of payments to deposit addresses, and of deposits that the service sends. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  for (const table of ["address_payments", "relayed_deposits"]) {
    await database.schema
      .alterTable(table)
      .addColumn("attempts", integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await database.schema.alterTable(table).addColumn("not_before", integer).execute();
  }
}
