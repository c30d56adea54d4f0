import { expect } from "chai";
import { nextRun, seededRandom } from "../../../../../emulator/control/settings/openRandom.ts";
import { copyStore, restoreStore } from "../../../../../emulator/control/state/copyStore.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { tableNames } from "../../../../../emulator/store/resetStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { depositRow, requestRow, transactionRow } from "../../support/requests.ts";

forEachStore("a copy of a database", (kind) => {
  let store: Store;
  beforeEach(async () => {
    ({ store } = await kind.open());
    await store.insertInto("requests").values(requestRow()).execute();
    await store.insertInto("deposits").values(depositRow()).execute();
    await store.insertInto("transactions").values(transactionRow()).execute();
    await addEvent();
  });

  const addEvent = () =>
    store
      .insertInto("events")
      .values({ at: 1, data: "{}", request_id: requestRow().id, status: "waiting", trigger: "quoted" })
      .execute();
  const everything = async () => {
    const tables: Record<string, unknown> = {};
    for (const name of tableNames) tables[name] = await store.selectFrom(name).selectAll().execute();
    return JSON.parse(JSON.stringify(tables)) as Record<string, unknown[]>;
  };

  it("puts every row of every table back, as often as is wanted", async () => {
    const before = await everything();
    const copy = await copyStore(store);
    for (let round = 0; round < 2; round++) {
      await store.updateTable("requests").set({ status: "refund" }).execute();
      await store.deleteFrom("transactions").execute();
      await addEvent();
      await restoreStore(store, copy);
      expect(await everything()).to.deep.equal(before);
    }
  });

  it("never has an event's number come again: who follows the log misses none", async () => {
    const copy = await copyStore(store);
    await addEvent();
    const last = await store
      .selectFrom("events")
      .select("seq")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    await restoreStore(store, copy);
    await addEvent();
    const next = await store
      .selectFrom("events")
      .select("seq")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(next.seq).to.be.greaterThan(last.seq);
  });

  it("changes nothing when it cannot be put back", async () => {
    const copy = new Map(await copyStore(store));
    const before = await everything();
    copy.set("requests", []);
    // Deposits that belong to no request.
    expect(await failureOf(restoreStore(store, copy))).to.be.instanceOf(Error);
    expect(await everything()).to.deep.equal(before);
  });

  it("holds thousands of rows", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({
      hash: `0x${index}`,
      kind: "fill" as const,
      request_id: requestRow().id,
    }));
    for (let from = 0; from < rows.length; from += 1_000) {
      await store
        .insertInto("request_hashes")
        .values(rows.slice(from, from + 1_000))
        .execute();
    }
    const copy = await copyStore(store);
    await store.deleteFrom("request_hashes").execute();
    await restoreStore(store, copy);
    expect(await store.selectFrom("request_hashes").select("hash").execute()).to.have.length(3_000);
  });

  it("counts how often a database was started, so that seeded ids do not repeat", async () => {
    const runs = [await nextRun(store), await nextRun(store), await nextRun(store)];
    expect(runs).to.deep.equal([0, 1, 2]);
    const drawn = runs.map((run) => seededRandom("seed", run).random32());
    expect(new Set(drawn).size).to.equal(3);
    const again = seededRandom("seed", 0);
    const [first, second] = [again.random32(), again.random32()];
    expect(first).to.equal(drawn[0]);
    again.seek(1);
    expect([again.random32(), again.position()]).to.deep.equal([second, 2]);
  });
});
