import { expect } from "chai";
import type { OpenedStore } from "../../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";

forEachStore("observeCommits", ({ open }) => {
  let opened: OpenedStore;
  let commits: number;
  before(async () => {
    opened = await open();
    opened.onCommit(() => commits++);
  });
  beforeEach(() => {
    commits = 0;
  });

  const insertCursor = (chain_id: number) =>
    opened.store
      .transaction()
      .execute((transaction) =>
        transaction.insertInto("cursors").values({ chain_id, next_block: 1 }).execute(),
      );

  it("a transaction that writes: one notification", async () => {
    await insertCursor(1);
    expect(commits).to.equal(1);
  });

  it("a read-only transaction: none, and one for the next that writes", async () => {
    await opened.store
      .transaction()
      .setAccessMode("read only")
      .execute((transaction) => transaction.selectFrom("cursors").selectAll().execute());
    expect(commits).to.equal(0);
    await insertCursor(2);
    expect(commits).to.equal(1);
  });

  it("a transaction that is rolled back: none", async () => {
    await failureOf(insertCursor(1));
    expect(commits).to.equal(0);
  });
});
