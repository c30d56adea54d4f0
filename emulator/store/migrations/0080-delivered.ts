import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** What arrived, which is not what was quoted where a pool stood in between. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema.alterTable("requests").addColumn("delivered", text).execute();
}
