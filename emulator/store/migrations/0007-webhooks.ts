import type { Kysely } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Endpoints, the deliveries to them, and every attempt of a delivery. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("webhooks")
    .addColumn("api_key_id", text, (column) => column.primaryKey().references("api_keys.id"))
    .addColumn("url", text, (column) => column.notNull())
    .addColumn("is_enabled", integer, (column) => column.notNull())
    .addColumn("headers", text, (column) => column.notNull())
    .addColumn("position", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .execute();
  await createDeliveries(database);
  await createAttempts(database);
}

async function createDeliveries(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("webhook_deliveries")
    .addColumn("id", serial)
    .addColumn("api_key_id", text, (column) => column.notNull().references("api_keys.id"))
    .addColumn("request_id", text, (column) => column.notNull())
    .addColumn("event_seq", integer)
    .addColumn("resend_of", integer)
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("payload", text, (column) => column.notNull())
    .addColumn("rank", integer, (column) => column.notNull())
    .addColumn("fault", text)
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("attempts", integer, (column) => column.notNull())
    .addColumn("next_at", integer, (column) => column.notNull())
    .addColumn("claimed_by", text)
    .addColumn("claimed_until", integer)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("finished_at", integer)
    // One delivery of an event to an endpoint, however many processes read the log.
    .addUniqueConstraint("one_delivery_an_event", ["api_key_id", "event_seq"])
    .execute();
  await database.schema
    .createIndex("webhook_deliveries_due")
    .on("webhook_deliveries")
    .columns(["state", "api_key_id", "next_at"])
    .execute();
  await database.schema
    .createIndex("webhook_deliveries_request")
    .on("webhook_deliveries")
    .columns(["request_id", "state"])
    .execute();
}

async function createAttempts(database: Kysely<unknown>): Promise<void> {
  const { integer, serial, text } = columnTypes(database);
  await database.schema
    .createTable("webhook_attempts")
    .addColumn("id", serial)
    .addColumn("delivery_id", integer, (column) => column.notNull().references("webhook_deliveries.id"))
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("status_code", integer)
    .addColumn("error", text)
    .addColumn("duration_ms", integer, (column) => column.notNull())
    .addColumn("answer", text)
    .execute();
  await database.schema
    .createIndex("webhook_attempts_delivery")
    .on("webhook_attempts")
    .column("delivery_id")
    .execute();
}
