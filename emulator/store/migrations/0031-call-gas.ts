import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Gas that callers of `POST /execute` cost the service. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("call_gas")
    .addColumn("request_id", text, (column) => column.primaryKey().references("requests.id"))
    .addColumn("caller", text, (column) => column.notNull())
    .addColumn("micros", integer, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .execute();
  await database.schema.createIndex("call_gas_caller").on("call_gas").columns(["caller", "at"]).execute();
}
