import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes, isPostgres } from "./dialect/columnTypes.ts";
import { eventsChannel, writersLock } from "./dialect/presence.ts";
import { createStatements } from "./table.ts";
import { tables } from "./tables.ts";

/**
 * PostgreSQL only. Events become visible in the order of their `seq`: a trigger takes a lock before the number is drawn, and
 * the transaction holds it until the commit. The same trigger notifies the other processes at the commit; a rollback
 * notifies none.
 */
const eventOrder: readonly string[] = [
  `create function waybill_before_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${writersLock});
      perform pg_notify('${eventsChannel}', current_setting('application_name'));
      return null;
    end $$`,
  `create trigger events_in_order before insert on events
    for each statement execute function waybill_before_events()`,
];

async function createSchema(database: Kysely<unknown>): Promise<void> {
  const types = columnTypes(database);
  const statements = Object.entries(tables).flatMap(([name, table]) => createStatements(name, table, types));
  if (isPostgres(database)) statements.push(...eventOrder);
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** In order of their names. A migration that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-schema": { up: createSchema },
};
