import { expect } from "chai";
import { type EventFollower, followEvents } from "../../../../emulator/events/followEvents.ts";
import type { LogEntry } from "../../../../emulator/index.ts";
import type { OnCommit } from "../../../../emulator/store/dialect/observeCommits.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestRow } from "../support/requests.ts";

forEachStore("followEvents", (kind) => {
  const id = `0x${"11".repeat(32)}`;
  const log: LogEntry[] = [];
  const followers: EventFollower[] = [];
  let store: Store;
  let onCommit: OnCommit;
  before(async () => {
    ({ onCommit, store } = await kind.open());
    await store.insertInto("requests").values(requestRow({ id })).execute();
  });
  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.stop();
    log.length = 0;
  });

  async function write(trigger: string, problem?: Error): Promise<void> {
    await store.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("events")
        .values({ at: 0, data: "{}", request_id: id, status: "pending", trigger })
        .execute();
      if (problem !== undefined) throw problem;
    });
  }

  /** Starts a follower and returns the triggers that it took. */
  async function follow(take: (trigger: string) => Promise<void> = async () => {}): Promise<string[]> {
    const taken: string[] = [];
    followers.push(
      await followEvents({
        log: (entry) => log.push(entry),
        onCommit,
        store,
        take: async ({ trigger }) => {
          await take(trigger);
          taken.push(trigger);
        },
      }),
    );
    return taken;
  }

  async function until(fits: () => boolean): Promise<void> {
    const end = performance.now() + 5_000;
    while (!fits() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(fits()).to.equal(true);
  }

  it("passes on no event of a transaction that is rolled back", async () => {
    const taken = await follow();
    const failure = await write("undone", new Error("no")).then(() => undefined, String);
    expect(failure).to.equal("Error: no");
    await write("done");
    await until(() => taken.length > 0);
    expect(taken).to.deep.equal(["done"]);
  });

  it("passes an event on again after `take` rejects, before any later event", async () => {
    let failures = 0;
    const taken = await follow(async (trigger) => {
      if (trigger === "hard" && failures++ < 2) throw new Error("not yet");
    });
    for (const trigger of ["easy", "hard", "last"]) await write(trigger);
    await until(() => taken.length === 3);
    expect(taken).to.deep.equal(["easy", "hard", "last"]);
    expect(log.map(({ cause, level }) => [level, String(cause)])).to.deep.equal(
      Array.from({ length: 2 }, () => ["error", "Error: not yet"]),
    );
  });

  it("starts with the first event written after its start", async () => {
    await write("old");
    const taken = await follow();
    await write("new");
    await until(() => taken.length > 0);
    expect(taken).to.deep.equal(["new"]);
  });

  it("passes each event on once and in order to slow and fast takers", async () => {
    const slow = await follow(() => new Promise((resolve) => setTimeout(resolve, 1)));
    const fast = await follow();
    const written = Array.from({ length: 300 }, (_, index) => `change ${index}`);
    for (const trigger of written) await write(trigger);
    await until(() => slow.length === written.length);
    expect(slow).to.deep.equal(written);
    expect(fast).to.deep.equal(written);
  });

  it("reads a transaction of more events than one page holds", async () => {
    const taken = await follow();
    await store.transaction().execute(async (transaction) => {
      for (let index = 0; index < 1_001; index++) {
        await transaction
          .insertInto("events")
          .values({ at: 0, data: "{}", request_id: id, status: "pending", trigger: String(index) })
          .execute();
      }
    });
    await until(() => taken.length === 1_001);
    expect(taken).to.deep.equal(Array.from({ length: 1_001 }, (_, index) => String(index)));
  });

  it("passes nothing on after `stop`", async () => {
    const taken = await follow();
    await followers[0]?.stop();
    await write("late");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(taken).to.deep.equal([]);
  });
});
