import { expect } from "chai";
import { type EventFollower, followEvents } from "../../../../emulator/events/followEvents.ts";
import { type WakeLoop, type WakeLoopParameters, wakeLoop } from "../../../../emulator/events/wakeLoop.ts";
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

describe("wakeLoop", () => {
  const loops: WakeLoop[] = [];
  afterEach(async () => {
    for (const loop of loops.splice(0)) await loop.stop();
  });

  /** Opens a loop whose rounds take as long as `work` does. */
  function open(work: (round: number) => Promise<void>, options: Partial<WakeLoopParameters> = {}) {
    const seen = { failures: [] as string[], parallel: 0, rounds: 0 };
    let under = 0;
    const loop = wakeLoop({
      onFailure: (cause) => seen.failures.push(String(cause)),
      round: async () => {
        seen.parallel = Math.max(seen.parallel, ++under);
        try {
          await work(++seen.rounds);
        } finally {
          under--;
        }
      },
      ...options,
    });
    loops.push(loop);
    return { loop, seen };
  }

  it("runs a round after the promises of the work that woke it, not among them", async () => {
    const order: string[] = [];
    const { loop } = open(async () => void order.push("round"));
    loop.wake();
    for (let index = 0; index < 100; index++) await Promise.resolve();
    order.push("work");
    await pause(5);
    expect(order).to.deep.equal(["work", "round"]);
  });

  it("runs one more round for any number of wake-ups during a round, never two rounds at once", async () => {
    const { loop, seen } = open(() => pause(10));
    loop.wake();
    await pause(2);
    for (let index = 0; index < 5; index++) loop.wake();
    await pause(50);
    expect(seen).to.deep.equal({ failures: [], parallel: 1, rounds: 2 });
  });

  it("repeats a failed round without a wake-up if `retryMs` is given", async () => {
    const work = async (round: number) => {
      if (round < 3) throw new Error(`round ${round}`);
    };
    const { loop, seen } = open(work, { retryMs: 1 });
    loop.wake();
    await pause(50);
    expect(seen).to.deep.equal({ failures: ["Error: round 1", "Error: round 2"], parallel: 1, rounds: 3 });
  });
});
