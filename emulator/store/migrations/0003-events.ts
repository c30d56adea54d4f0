import { type Kysely, sql } from "kysely";
import { columnTypes, isPostgres } from "../dialect/columnTypes.ts";
import { eventsChannel, writersLock } from "../dialect/postgresNames.ts";

/** The append-only log of every change of a request. */
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
 * Events become visible in the order of their `seq`: a trigger takes a lock before the number is drawn, and the transaction
 * holds it until the commit. The same trigger notifies the other processes at the commit; a rollback notifies none.
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
