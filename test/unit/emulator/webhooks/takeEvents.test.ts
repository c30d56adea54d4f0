import { expect } from "chai";
import { sql } from "kysely";
import { noFaults } from "../../../../emulator/context/FaultHooks.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { takeEvents } from "../../../../emulator/webhooks/takeEvents.ts";
import { forEachStore, openTwice } from "../../../helpers/processes/stores.ts";
import { addEvent, addRequest, idOf, readAll } from "../support/requests.ts";
import { pause } from "../support/waiting.ts";

forEachStore("takeEvents", (kind) => {
  if (!kind.isShared) return;

  it("two open transactions, of which the earlier one commits last: no event is skipped, and the order is that of the log", async () => {
    const [{ store }, { store: other }] = await openTwice(kind);
    await store
      .insertInto("api_keys")
      .values({ created_at: 1, id: "key", is_elevated: 0, key: "secret", name: "test", revoked_at: null })
      .execute();
    for (const index of [1, 2]) {
      await addRequest(store, { api_key_id: "key", id: idOf(index), order_id: idOf(10 + index) });
    }
    await store
      .insertInto("webhooks")
      .values({
        api_key_id: "key",
        created_at: 1,
        headers: "{}",
        is_enabled: 1,
        position: 0,
        updated_at: 1,
        url: "http://localhost",
      })
      .execute();
    /** Writes without the store's own lock, and commits after some time. */
    const write = (into: Store, index: number, ms: number) =>
      into.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        const seq = await addEvent(connection, { request_id: idOf(index) });
        await pause(ms);
        await sql`commit`.execute(connection);
        return seq;
      });
    const take = () => takeEvents(other, { faults: noFaults, now: () => 1 });
    const slow = write(store, 1, 200);
    await pause(50);
    const quick = write(other, 2, 0);
    await pause(50);
    await take();
    const seqs = await Promise.all([slow, quick]);
    await take();
    const taken = (await readAll(store, "webhook_deliveries", "id")).map(({ event_seq }) => event_seq);
    expect(taken).to.deep.equal(seqs.toSorted((a, b) => a - b));
  });
});
