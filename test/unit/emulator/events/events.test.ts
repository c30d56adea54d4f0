import { expect } from "chai";
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
  /** Writes an event in a transaction that stays open for a while, and returns its number. */
  const writeSlowly = (store: Store, ms: number) =>
    store.transaction().execute(async (transaction) => {
      const seq = await addEvent(transaction);
      await pause(ms);
      return seq;
    });
  const ascending = (seqs: readonly number[]) => seqs.toSorted((a, b) => a - b);

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
});
