import { expect } from "chai";
import type { LogEntry } from "../../../../emulator/index.ts";
import type { OnCommit } from "../../../../emulator/store/dialect/observeCommits.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { type EventFeed, startEventFeed } from "../../../../emulator/websocket/startEventFeed.ts";
import { forEachStore } from "../../../helpers/stores.ts";
import { requestRow } from "../support/requests.ts";

forEachStore("the feed of the event log", (kind) => {
  const id = `0x${"11".repeat(32)}`;
  const log: LogEntry[] = [];
  const feeds: EventFeed[] = [];
  let store: Store;
  let onCommit: OnCommit;
  before(async () => {
    ({ onCommit, store } = await kind.open());
    await store.insertInto("requests").values(requestRow({ id })).execute();
  });
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.stop();
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

  /** Starts a feed that keeps what it was told. */
  async function follow(take: (trigger: string) => Promise<void> = async () => {}): Promise<string[]> {
    const taken: string[] = [];
    feeds.push(
      await startEventFeed({
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

  it("tells nothing of a transaction that is rolled back", async () => {
    const taken = await follow();
    const failure = await write("undone", new Error("no")).then(() => undefined, String);
    expect(failure).to.equal("Error: no");
    await write("done");
    await until(() => taken.length > 0);
    expect(taken).to.deep.equal(["done"]);
  });

  it("tells again of an event that could not be taken, and of none after it before", async () => {
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

  it("begins with what is written after its start", async () => {
    await write("old");
    const taken = await follow();
    await write("new");
    await until(() => taken.length > 0);
    expect(taken).to.deep.equal(["new"]);
  });

  it("tells of everything once and in order, however slowly it is taken and however fast it comes", async () => {
    const slow = await follow(() => new Promise((resolve) => setTimeout(resolve, 1)));
    const fast = await follow();
    const written = Array.from({ length: 300 }, (_, index) => `change ${index}`);
    for (const trigger of written) await write(trigger);
    await until(() => slow.length === written.length);
    expect(slow).to.deep.equal(written);
    expect(fast).to.deep.equal(written);
  });

  it("reads on where more was written at once than it reads at once", async () => {
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

  it("takes nothing more once it has stopped", async () => {
    const taken = await follow();
    await feeds[0]?.stop();
    await write("late");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(taken).to.deep.equal([]);
  });
});
