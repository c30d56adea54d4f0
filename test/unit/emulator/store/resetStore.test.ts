import { expect } from "chai";
import { saveChainRecord } from "../../../../emulator/chains/chainRecords.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import { saveSetting } from "../../../../emulator/store/openSetting.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { resetStore, tableNames } from "../../../../emulator/store/resetStore.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { contracts, ether } from "../support/fakeChains.ts";
import { addDeposit, addTransaction, readAll, requestId, requestRow } from "../support/requests.ts";

/** Stores rows in eleven tables; the keys may be there already. */
async function fill(store: Store): Promise<void> {
  const key = { created_at: 1, id: "k", is_elevated: 0, key: "s", name: "n", revoked_at: null } as const;
  await store
    .insertInto("api_keys")
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await insertRequest(store, requestRow({ api_key_id: "k" }), ["app_fees"]);
  await insertRequest(store, requestRow({ id: "0x02", order_id: "0x02", parent_id: requestId }));
  await addDeposit(store);
  await addTransaction(store);
  await store.insertInto("request_hashes").values({ hash: "0x", kind: "fill", request_id: "0x02" }).execute();
  await store.insertInto("cursors").values({ chain_id: 1, next_block: 1 }).execute();
  const genesisHash = `0x${"9a".repeat(32)}` as const;
  await saveChainRecord(store, { chainId: 1, contracts, currencies: [ether], genesisHash });
  await saveSetting(store, "clock", 1);
}

async function filledTables(store: Store): Promise<string[]> {
  const rows = await Promise.all(tableNames.map((name) => readAll(store, name)));
  return tableNames.filter((_, index) => rows[index]?.length !== 0).sort();
}

forEachStore("resetStore", (kind) => {
  it("a filled database: empties every table but the kept ones, and continues the numbers of events", async () => {
    const { store } = await kind.open();
    await fill(store);
    expect(await filledTables(store)).to.have.length(11);
    const last = (await readAll(store, "events", "seq")).at(-1);
    await resetStore(store, ["api_keys", "chains"]);
    expect(await filledTables(store)).to.deep.equal(["api_keys", "chains"]);
    await fill(store);
    const [next] = await readAll(store, "events", "seq");
    expect(next?.seq).to.be.greaterThan(last?.seq ?? Number.NaN);
    await resetStore(store);
    expect(await filledTables(store)).to.deep.equal([]);
  });
});
