import { expect } from "chai";
import { copyStore, restoreStore } from "../../../../../emulator/control/state/copyStore.ts";
import { applyTrigger } from "../../../../../emulator/requests/applyTrigger.ts";
import { insertRequest } from "../../../../../emulator/requests/insertRequest.ts";
import type { OpenedStore, Store } from "../../../../../emulator/store/openStore.ts";
import { resetStore } from "../../../../../emulator/store/resetStore.ts";
import { followRequests } from "../../../../../emulator/store/search/followRequests.ts";
import type { RequestIndex } from "../../../../../emulator/store/search/RequestIndex.ts";
import { searchIndex } from "../../../../../emulator/store/search/searchIndex.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/stores.ts";
import { requestRow } from "../../support/requests.ts";

const idOf = (number: number) => `0x${String(number).padStart(64, "0")}`;

const featuredIn = (index: RequestIndex, feature: string) => index.featured(feature)?.rows ?? [];

forEachStore("an index that follows a database", (kind) => {
  let opened: OpenedStore;
  /** The database as another connection sees it. */
  let other: Store;
  beforeEach(async () => {
    const url = await kind.newUrl();
    opened = await kind.open(url);
    other = kind.isShared ? (await kind.open(url)).store : opened.store;
  });

  const add = (number: number, features: readonly string[] = []) =>
    insertRequest(other, requestRow({ id: idOf(number), order_id: idOf(number) }), features);
  const statusOf = (index: RequestIndex, number: number) =>
    ["waiting", "pending"].find(
      (status) =>
        searchIndex(
          index,
          {
            conditions: [
              { field: "id", negated: false, values: [idOf(number)] },
              { field: "status", negated: false, values: [status] },
            ],
            features: [],
            groups: [],
            limit: 1,
            ranges: [],
            sort: { column: "created_at", direction: "asc" },
            withChildren: false,
          },
          { lookUps: new Map(), wantsTotal: false },
        ).places.length === 1,
    );

  it("has what was there before, feature by feature, however many pages it takes to read", async () => {
    for (let number = 0; number < 25; number++) await add(number, number % 2 === 0 ? ["app_fees"] : []);
    const index = await followRequests(opened.store, { pageRows: 4 }).upToDate();
    expect(index.size).to.equal(25);
    expect(
      featuredIn(index, "app_fees")
        .map((row) => index.ids[row])
        .sort(),
    ).to.deep.equal(Array.from({ length: 13 }, (_, half) => idOf(half * 2)));
    expect(featuredIn(index, "fast_fill")).to.deep.equal([]);
  });

  it("has what was committed before it was asked, by whomever, however much that was", async () => {
    const followed = followRequests(opened.store, { pageRows: 4 });
    expect((await followed.upToDate()).size).to.equal(0);
    for (let number = 0; number < 10; number++) {
      await add(number, ["app_fees"]);
      const index = await followed.upToDate();
      expect(index.size).to.equal(number + 1);
      expect(featuredIn(index, "app_fees")).to.have.lengthOf(number + 1);
    }
    for (let number = 10; number < 30; number++) await add(number);
    await other
      .transaction()
      .execute((transaction) => applyTrigger(transaction, idOf(7), { trigger: "deposit-accepted" }, 2_000));
    const index = await followed.upToDate();
    expect(index.size).to.equal(30);
    expect(statusOf(index, 7)).to.equal("pending");
    expect(statusOf(index, 8)).to.equal("waiting");
    expect(index.numbers.updated_at.values[index.rowOf(idOf(7)) ?? -1]).to.equal(2_000);
  });

  it("has nothing of what is rolled back", async () => {
    const followed = followRequests(opened.store);
    await add(1);
    await followed.upToDate();
    const failing = other.transaction().execute(async (transaction) => {
      await applyTrigger(transaction, idOf(1), { trigger: "deposit-accepted" }, 2_000);
      throw new Error("on purpose");
    });
    expect(String(await failureOf(failing))).to.contain("on purpose");
    expect(statusOf(await followed.upToDate(), 1)).to.equal("waiting");
  });

  it("returns all that was committed before the call, under concurrent calls, too", async () => {
    const followed = followRequests(opened.store, { pageRows: 2 });
    const asked: Promise<void>[] = [];
    for (let number = 0; number < 20; number++) {
      await add(number);
      asked.push(
        followed
          .upToDate()
          .then((index) => expect(index.rowOf(idOf(number))).not.to.equal(undefined))
          .then(),
      );
    }
    await Promise.all(asked);
    expect((await followed.upToDate()).size).to.equal(20);
  });

  it("begins anew when requests were taken away, or others put in their place", async () => {
    const followed = followRequests(opened.store);
    await add(1, ["app_fees"]);
    const copy = await copyStore(other);
    await add(2);
    await other
      .transaction()
      .execute((transaction) => applyTrigger(transaction, idOf(1), { trigger: "deposit-accepted" }, 2_000));
    expect((await followed.upToDate()).size).to.equal(2);
    await restoreStore(other, copy);
    const restored = await followed.upToDate();
    expect(restored.size).to.equal(1);
    expect(statusOf(restored, 1)).to.equal("waiting");
    expect(featuredIn(restored, "app_fees")).to.deep.equal([0]);
    await resetStore(other);
    expect((await followed.upToDate()).size).to.equal(0);
    await add(3);
    expect((await followed.upToDate()).ids).to.deep.equal([idOf(3)]);
  });

  it("fails with the database, and catches up when it is there again", async () => {
    const followed = followRequests(opened.store);
    await add(1);
    await opened.store.schema.alterTable("events").renameTo("hidden").execute();
    expect(String(await failureOf(followed.upToDate()))).to.match(/events/);
    await opened.store.schema.alterTable("hidden").renameTo("events").execute();
    expect((await followed.upToDate()).size).to.equal(1);
  });
});
