import { eventsChannel, writersLock } from "../dialect/postgresNames.ts";

/**
 * PostgreSQL only. Events become visible in the order of their `seq`: a trigger takes a lock before the number is drawn, and
 * the transaction holds it until the commit. The same trigger notifies the other processes at the commit; a rollback
 * notifies none.
 */
export const eventOrder: readonly string[] = [
  `create function waybill_before_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${writersLock});
      perform pg_notify('${eventsChannel}', current_setting('application_name'));
      return null;
    end $$`,
  `create trigger events_in_order before insert on events
    for each statement execute function waybill_before_events()`,
];
