import { type Kysely, sql } from "kysely";
import { columnTypes, isPostgres } from "../dialect/columnTypes.ts";
import { eventsChannel, writersLock } from "../dialect/postgresNames.ts";

/** The append-only log of everything that happens to requests. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("events")
    .addColumn("seq", serial)
    .addColumn("request_id", text, (column) => column.notNull().references("requests.id"))
    .addColumn("trigger", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("data", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .execute();
  await database.schema.createIndex("events_request").on("events").columns(["request_id", "seq"]).execute();
  if (isPostgres(database)) await watchEvents(database);
}

/**
 * Events become visible in the order of their `seq`: who writes one holds a lock from before the number is drawn until
 * the commit. Every process that listens hears of the commit, and of nothing that is rolled back. A trigger does both, so
 * that no writer can forget.
 */
async function watchEvents(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function waybill_before_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${sql.lit(writersLock)});
      perform pg_notify(${sql.lit(eventsChannel)}, current_setting('application_name'));
      return null;
    end $$`.execute(database);
  await sql`
    create trigger events_in_order before insert on events
    for each statement execute function waybill_before_events()`.execute(database);
}
