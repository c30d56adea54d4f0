import { expect } from "chai";
import { sql } from "kysely";
import { type EventFollower, followEvents } from "../../../../emulator/events/followEvents.ts";
import type { OpenedStore, Store } from "../../../../emulator/store/openStore.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestId, requestRow } from "../support/requests.ts";

const event = { at: 1, data: "{}", request_id: requestId, status: "waiting", trigger: "" } as const;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

forEachStore("the order of events", (kind) => {
  const feeds: EventFollower[] = [];
  let url: string;
  let writer: OpenedStore;
  let other: OpenedStore;
  beforeEach(async () => {
    url = await kind.newUrl();
    writer = await kind.open(url);
    other = kind.isShared ? await kind.open(url) : writer;
    await writer.store.insertInto("requests").values(requestRow()).execute();
  });
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.stop();
  });

  /** Follows the log as another process would. */
  async function follow(opened = other): Promise<number[]> {
    const taken: number[] = [];
    feeds.push(
      await followEvents({
        log: ({ cause }) => {
          throw cause;
        },
        onCommit: opened.onCommit,
        store: opened.store,
        take: async ({ seq }) => {
          taken.push(seq);
        },
      }),
    );
    return taken;
  }

  async function until(fits: () => boolean): Promise<void> {
    const end = performance.now() + 10_000;
    while (!fits() && performance.now() < end) await pause(2);
    expect(fits()).to.equal(true);
  }

  const write = (store: Store, waitMs: number) =>
    store.transaction().execute(async (transaction) => {
      const { seq } = await transaction
        .insertInto("events")
        .values(event)
        .returning("seq")
        .executeTakeFirstOrThrow();
      await pause(waitMs);
      return seq;
    });

  it("is the order in which they become visible, however long each transaction takes", async () => {
    const taken = await follow();
    const written = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        write(index % 2 === 0 ? writer.store : other.store, (index * 7) % 5),
      ),
    );
    await until(() => taken.length >= written.length);
    expect(taken).to.deep.equal(written.sort((a, b) => a - b));
  });

  it("holds for events that are written without a transaction too", async () => {
    const taken = await follow();
    const slow = write(writer.store, 50);
    await pause(10);
    const quick = other.store.insertInto("events").values(event).returning("seq").executeTakeFirstOrThrow();
    const seqs = [await slow, (await quick).seq];
    // The one outside a transaction is announced with the next commit, or by the database itself.
    seqs.push(await write(writer.store, 0));
    await until(() => taken.length === 3);
    expect(taken).to.deep.equal(seqs);
    expect(seqs).to.deep.equal([...seqs].sort((a, b) => a - b));
  });

  if (!kind.isShared) return;

  it("is kept by the database itself, against writers that know nothing of it", async () => {
    // What another program would send: no lock, no notice.
    const taken = await follow();
    const raw = (store: Store, ms: number) =>
      store.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        const { rows } = await sql<{ seq: number }>`
          insert into events (request_id, "trigger", status, data, at)
          values (${requestId}, '', 'waiting', '{}', 1) returning seq`.execute(connection);
        await pause(ms);
        await sql`commit`.execute(connection);
        return rows[0]?.seq ?? 0;
      });
    const seqs = await Promise.all([
      raw(writer.store, 40),
      pause(5).then(() => raw(other.store, 0)),
      pause(10).then(() => raw(writer.store, 5)),
    ]);
    await until(() => taken.length === 3);
    expect(taken).to.deep.equal(seqs.sort((a, b) => a - b));
  });

  it("does not hold up those who only read", async () => {
    const slow = write(writer.store, 100);
    await pause(20);
    const begun = performance.now();
    await other.store
      .transaction()
      .setAccessMode("read only")
      .execute((transaction) => transaction.selectFrom("events").selectAll().execute());
    await other.store.selectFrom("requests").selectAll().execute();
    expect(performance.now() - begun).to.be.lessThan(60);
    await slow;
  });
});

forEachStore("what other processes are told", (kind) => {
  if (!kind.isShared) {
    it("is nothing: there are none", async () => {
      let told = 0;
      const { onKeysChanged } = await kind.open();
      onKeysChanged(() => told++);
      await pause(10);
      expect(told).to.equal(0);
    });
    return;
  }

  async function pair() {
    const url = await kind.newUrl();
    const [here, there] = [await kind.open(url), await kind.open(url)];
    await here.store.insertInto("requests").values(requestRow()).execute();
    let told = 0;
    there.onCommit(() => told++);
    return { count: () => told, here, there };
  }

  async function until(fits: () => boolean): Promise<void> {
    const end = performance.now() + 10_000;
    while (!fits() && performance.now() < end) await pause(2);
    expect(fits()).to.equal(true);
  }

  it("is each commit of an event, and nothing that was rolled back", async () => {
    const { count, here } = await pair();
    const failed = here.store.transaction().execute(async (transaction) => {
      await transaction.insertInto("events").values(event).execute();
      throw new Error("no");
    });
    expect(await failed.catch(String)).to.equal("Error: no");
    await pause(30);
    expect(count()).to.equal(0);
    await here.store.transaction().execute(async (transaction) => {
      for (let index = 0; index < 3; index++) await transaction.insertInto("events").values(event).execute();
      await pause(20);
      expect(count()).to.equal(0);
    });
    await until(() => count() === 1);
  });

  it("is said once more after the connection was lost, so that nothing is missed", async () => {
    const { count, here } = await pair();
    const cut = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`.execute(here.store);
    expect(cut.rows).to.have.length(2);
    await here.store.insertInto("events").values(event).execute();
    await until(() => count() > 0);
    const before = count();
    await here.store.insertInto("events").values(event).execute();
    await until(() => count() > before);
  });
});
