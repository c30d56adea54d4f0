import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/**
 * Requests in the order of their age, in which the search reads them; the few that have a parent, and those that wait for a
 * transaction of their user alone. All other searches are in memory. They have to know when requests were taken away or
 * put back, of which there is no event.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index requests_age on requests (created_at, id)`.execute(database);
  await sql`create index requests_parent on requests (parent_id) where parent_id is not null`.execute(
    database,
  );
  await sql`create index requests_own on requests (origin_chain_id)
    where status = 'waiting' and origin_chain_id = destination_chain_id`.execute(database);
  await database.schema.createTable("replacements").addColumn("seq", columnTypes(database).serial).execute();
}
