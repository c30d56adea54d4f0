import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { type RequestProgress, reduceStatus } from "waybill/client";
import { nodeWebhook, type WebhookEvent } from "waybill/webhooks";

export type Order = { requestId: string; goods: string; shippedAt: number | null };
export type Shop = Awaited<ReturnType<typeof startShop>>;

const tables = `
  CREATE TABLE IF NOT EXISTS orders (requestId TEXT PRIMARY KEY, goods TEXT, progress TEXT, shippedAt INTEGER);
  CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, dedupeKey TEXT UNIQUE, event TEXT, isDone INTEGER)`;

/**
 * Starts a shop that ships each order once its payment has arrived.
 *
 * @param secrets The API key that the quotes are made with; during a rotation also the previous one.
 */
export async function startShop({ database, secrets }: { database: string; secrets: readonly string[] }) {
  const db = new DatabaseSync(database);
  db.exec(tables);

  /** Stores an event and returns: the response must not wait for the work. A unique key makes repetitions harmless. */
  function store(event: WebhookEvent, { dedupeKey }: { dedupeKey: string }): void {
    const insert = "INSERT INTO events (dedupeKey, event, isDone) VALUES (?, ?, 0) ON CONFLICT DO NOTHING";
    db.prepare(insert).run(dedupeKey, JSON.stringify(event));
    setImmediate(work);
  }

  /** Works through the stored events. One transaction makes an event's effects and its end one step. */
  function work(): void {
    if (!db.isOpen) return;
    for (const { event, id } of db
      .prepare("SELECT id, event FROM events WHERE isDone = 0 ORDER BY id")
      .all()) {
      db.exec("BEGIN IMMEDIATE");
      try {
        apply(JSON.parse(String(event)));
        db.prepare("UPDATE events SET isDone = 1 WHERE id = ?").run(Number(id));
        db.exec("COMMIT");
      } catch (error) {
        db.exec("ROLLBACK");
        console.error("The event is tried again with the next one:", error);
      }
    }
  }

  /** Events come in any order and late: `reduceStatus` drops what is older, and `success` is final. */
  function apply({ data }: WebhookEvent): void {
    const { requestId } = data;
    const row = db.prepare("SELECT progress FROM orders WHERE requestId = ?").get(requestId);
    // Requests of others, and the service's test events, are no orders.
    if (row === undefined) return;
    const before: RequestProgress | undefined = JSON.parse(String(row["progress"])) ?? undefined;
    const progress = reduceStatus(before, data) ?? null;
    const update = "UPDATE orders SET progress = ? WHERE requestId = ?";
    db.prepare(update).run(JSON.stringify(progress), requestId);
    if (progress?.status !== "success") return;
    const ship = "UPDATE orders SET shippedAt = ? WHERE requestId = ? AND shippedAt IS NULL";
    db.prepare(ship).run(Date.now(), requestId);
  }

  // The raw bytes are signed, so nothing may read the body before. The timeout cuts off clients that send slowly.
  const server = createServer({ requestTimeout: 10_000 }, nodeWebhook({ onEvent: store, secrets }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Events that were stored before a crash.
  work();

  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      db.close();
    },
    eventCount: () => db.prepare("SELECT id FROM events").all().length,
    orders: () => db.prepare("SELECT requestId, goods, shippedAt FROM orders").all() as unknown as Order[],
    /** Call it before the customer sees the quote: a payment must not come before its order. */
    placeOrder: (requestId: string, goods: string) => {
      const insert = "INSERT INTO orders (requestId, goods, progress) VALUES (?, ?, 'null')";
      db.prepare(insert).run(requestId, goods);
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
  };
}
