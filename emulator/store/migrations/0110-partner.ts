import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** A partner's own id of a request. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema.alterTable("requests").addColumn("partner_id", text).execute();
}
