import { expect } from "chai";
import { copyStore, restoreStore } from "../../../../../emulator/control/state/copyStore.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { tableNames } from "../../../../../emulator/store/resetStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import {
  addDeposit,
  addEvent,
  addRequest,
  addTransaction,
  readAll,
  requestId,
} from "../../support/requests.ts";

forEachStore("copyStore and restoreStore", (kind) => {
  let store: Store;
  beforeEach(async () => {
    ({ store } = await kind.open());
    await addRequest(store);
    await addDeposit(store);
    await addTransaction(store);
    await addEvent(store);
  });

  const everything = async () => {
    const tables: Record<string, unknown> = {};
    for (const name of tableNames) tables[name] = await readAll(store, name);
    return JSON.parse(JSON.stringify(tables)) as Record<string, unknown[]>;
  };

  it("restored twice after changes: every table has its rows again", async () => {
    const before = await everything();
    const copy = await copyStore(store);
    for (let round = 0; round < 2; round++) {
      await store.updateTable("requests").set({ status: "refund" }).execute();
      await store.deleteFrom("transactions").execute();
      await addEvent(store);
      await restoreStore(store, copy);
      expect(await everything()).to.deep.equal(before);
    }
  });

  it("an event after a restore: gets a number that was never used, so that followers miss none", async () => {
    const copy = await copyStore(store);
    const last = await addEvent(store);
    await restoreStore(store, copy);
    expect(await addEvent(store)).to.be.greaterThan(last);
  });

  it("a copy without the requests of its deposits: is rejected, and nothing changes", async () => {
    const copy = new Map(await copyStore(store));
    const before = await everything();
    copy.set("requests", []);
    expect(await failureOf(restoreStore(store, copy))).to.be.instanceOf(Error);
    expect(await everything()).to.deep.equal(before);
  });

  it("a table of 3,000 rows: is copied and restored whole", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({
      hash: `0x${index}`,
      kind: "fill" as const,
      request_id: requestId,
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
});
