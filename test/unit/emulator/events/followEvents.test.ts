import { expect } from "chai";
import { sql } from "kysely";
import { type EventFollower, followEvents } from "../../../../emulator/events/followEvents.ts";
import type { LogEntry } from "../../../../emulator/index.ts";
import type { OpenedStore } from "../../../../emulator/store/openStore.ts";
import type { EventRow, Store } from "../../../../emulator/store/tables.ts";
import { forEachStore, openTwice } from "../../../helpers/processes/stores.ts";
import { addEvent, addRequest } from "../support/requests.ts";
import { pause, until } from "../support/waiting.ts";

forEachStore("followEvents", (kind) => {
  const followers: EventFollower[] = [];
  const log: LogEntry[] = [];
  let writer: OpenedStore;
  /** The same database, opened by another process where it can be shared. */
  let other: OpenedStore;
  before(async () => {
    [writer, other] = await openTwice(kind);
    await addRequest(writer.store);
  });
  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.stop();
    log.length = 0;
  });

  /** Starts a follower and returns a field of each event that it took. */
  async function follow<Key extends "seq" | "trigger">(
    key: Key,
    take: (trigger: string) => Promise<void> = async () => {},
  ): Promise<EventRow[Key][]> {
    const taken: EventRow[Key][] = [];
    followers.push(
      await followEvents({
        ...other,
        log: (entry) => log.push(entry),
        take: async (event) => {
          await take(event.trigger);
          taken.push(event[key]);
        },
      }),
    );
    return taken;
  }
  const write = (...triggers: readonly string[]) =>
    writer.store.transaction().execute(async (transaction) => {
      for (const trigger of triggers) await addEvent(transaction, { trigger });
    });
  /** Writes an event in a transaction that stays open for a while, and returns its number. */
  const writeSlowly = (store: Store, ms: number) =>
    store.transaction().execute(async (transaction) => {
      const seq = await addEvent(transaction);
      await pause(ms);
      return seq;
    });
  const ascending = (seqs: readonly number[]) => seqs.toSorted((a, b) => a - b);

  it("a transaction that is rolled back: its event is not taken", async () => {
    const taken = await follow("trigger");
    const undone = writer.store.transaction().execute(async (transaction) => {
      await addEvent(transaction, { trigger: "undone" });
      throw new Error("no");
    });
    expect(await undone.catch(String)).to.equal("Error: no");
    await write("done");
    await until(() => taken.length > 0);
    expect(taken).to.deep.equal(["done"]);
  });

  it("`take` rejects: it gets the event again before any later event, and each failure is logged", async () => {
    let failures = 0;
    const taken = await follow("trigger", async (trigger) => {
      if (trigger === "hard" && failures++ < 2) throw new Error("not yet");
    });
    for (const trigger of ["easy", "hard", "last"]) await write(trigger);
    await until(() => taken.length === 3);
    expect(taken).to.deep.equal(["easy", "hard", "last"]);
    expect(log.map(({ cause, level }) => [level, String(cause)])).to.deep.equal(
      Array.from({ length: 2 }, () => ["error", "Error: not yet"]),
    );
  });

  it("a transaction of more events than one page holds: all are taken in order", async () => {
    const taken = await follow("trigger");
    const written = Array.from({ length: 1_001 }, (_, index) => String(index));
    await write(...written);
    await until(() => taken.length === written.length);
    expect(taken).to.deep.equal(written);
  });

  it("transactions of different length at once, from two processes: are taken in the order of their numbers", async () => {
    const taken = await follow("seq");
    const written = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        writeSlowly(index % 2 === 0 ? writer.store : other.store, (index * 7) % 5),
      ),
    );
    await until(() => taken.length >= written.length);
    expect(taken).to.deep.equal(ascending(written));
  });

  if (!kind.isShared) return;
});

forEachStore("OpenedStore.onCommit", (kind) => {
  if (!kind.isShared) {
    it("a database of one process: `onKeysChanged` never calls back", async () => {
      let calls = 0;
      const { onKeysChanged } = await kind.open();
      onKeysChanged(() => calls++);
      await pause(10);
      expect(calls).to.equal(0);
    });
    return;
  }

  /** Two processes of one database; the second counts the commits that it hears of. */
  async function open() {
    const [{ store }, { onCommit }] = await openTwice(kind);
    await addRequest(store);
    let commits = 0;
    onCommit(() => commits++);
    return { count: () => commits, store };
  }

  it("another process's transactions: calls back once per commit, never on a rollback", async () => {
    const { count, store } = await open();
    const failed = store.transaction().execute(async (transaction) => {
      await addEvent(transaction);
      throw new Error("no");
    });
    expect(await failed.catch(String)).to.equal("Error: no");
    await pause(30);
    expect(count()).to.equal(0);
    await store.transaction().execute(async (transaction) => {
      for (let index = 0; index < 3; index++) await addEvent(transaction);
      await pause(20);
      expect(count()).to.equal(0);
    });
    await until(() => count() === 1);
  });

  it("a lost connection: calls back after the reconnection, and for later commits", async () => {
    const { count, store } = await open();
    const cut = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`.execute(store);
    expect(cut.rows).to.have.length(2);
    await addEvent(store);
    await until(() => count() > 0);
    const before = count();
    await addEvent(store);
    await until(() => count() > before);
  });
});
