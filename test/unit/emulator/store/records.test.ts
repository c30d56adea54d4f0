import { expect } from "chai";
import type { Hex } from "viem";
import * as z from "zod";
import {
  assertSameChain,
  type ChainRecord,
  loadChainRecord,
  StoreChainMismatchError,
  saveChainRecord,
} from "../../../../emulator/chains/chainRecords.ts";
import { microDollars } from "../../../../emulator/money/microDollars.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import { loadSetting, saveSetting } from "../../../../emulator/store/openSetting.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { contracts, ether, usdc } from "../support/fakeChains.ts";
import { depositRow, requestId, requestRow, transactionRow } from "../support/requests.ts";

const genesisHash: Hex = `0x${"9a".repeat(32)}`;
const record: ChainRecord = {
  chainId: 2 ** 40,
  contracts,
  currencies: [ether, usdc],
  genesisHash,
};

forEachStore("what the store remembers of chains and settings", (kind) => {
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
  });
  beforeEach(() => resetStore(store));

  it("is a chain's first record: a later one is not stored, and the one that stands is returned", async () => {
    expect(await loadChainRecord(store, record.chainId)).to.equal(undefined);
    expect(await saveChainRecord(store, record)).to.equal(undefined);
    expect(await saveChainRecord(store, { ...record, currencies: [] })).to.deep.equal(record);
    expect(await loadChainRecord(store, record.chainId)).to.deep.equal(record);
    expect(await loadChainRecord(store, 1)).to.equal(undefined);
  });

  it("rejects a stored chain without one of its contracts, or with a currency of no decimals", async () => {
    await saveChainRecord(store, record);
    const { depository: _, ...incomplete } = contracts;
    for (const wrong of [
      { contracts: JSON.stringify(incomplete) },
      { contracts: JSON.stringify(contracts), currencies: JSON.stringify([{ ...ether, decimals: -1 }]) },
    ]) {
      await store.updateTable("chains").set(wrong).execute();
      expect(await failureOf(loadChainRecord(store, record.chainId))).to.be.instanceOf(z.ZodError);
    }
  });

  it("is a setting as it was saved last, read by its schema", async () => {
    const schema = z.object({ offsetMs: z.number() });
    expect(await loadSetting(store, "clock", schema)).to.equal(undefined);
    for (const offsetMs of [1, 2]) await saveSetting(store, "clock", { offsetMs });
    expect(await loadSetting(store, "clock", schema)).to.deep.equal({ offsetMs: 2 });
    expect(await failureOf(loadSetting(store, "clock", z.string()))).to.be.instanceOf(z.ZodError);
    await saveSetting(store, "clock", undefined);
    expect(await loadSetting(store, "clock", schema)).to.equal(undefined);
  });

  it("is emptied with everything else, but for what is to be kept", async () => {
    const fill = async () => {
      const key = { created_at: 1, id: "k", is_elevated: 0, key: "s", name: "n", revoked_at: null } as const;
      await store
        .insertInto("api_keys")
        .values(key)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await insertRequest(store, requestRow({ api_key_id: "k" }), ["app_fees"]);
      await insertRequest(store, requestRow({ id: "0x02", order_id: "0x02", parent_id: requestId }));
      await store.insertInto("deposits").values(depositRow()).execute();
      await store.insertInto("transactions").values(transactionRow()).execute();
      await store
        .insertInto("request_hashes")
        .values({ hash: "0x", kind: "fill", request_id: "0x02" })
        .execute();
      await store.insertInto("cursors").values({ chain_id: 1, next_block: 1 }).execute();
      await saveChainRecord(store, record);
      await saveSetting(store, "clock", 1);
    };
    const filled = async () => {
      const counts: string[] = [];
      for (const { name } of await store.introspection.getTables()) {
        const table = name as "requests";
        if (
          (
            await store
              .selectFrom(table)
              .select(({ lit }) => lit(1).as("one"))
              .execute()
          ).length > 0
        ) {
          counts.push(name);
        }
      }
      return counts.sort();
    };
    await fill();
    expect(await filled()).to.have.length(11);
    const last = await store.selectFrom("events").select("seq").orderBy("seq", "desc").executeTakeFirst();
    await resetStore(store, ["api_keys", "chains"]);
    expect(await filled()).to.deep.equal(["api_keys", "chains"]);
    await fill();
    const next = await store.selectFrom("events").select("seq").orderBy("seq").executeTakeFirstOrThrow();
    expect(next.seq).to.be.greaterThan(last?.seq ?? Number.NaN);
    await resetStore(store);
    expect(await filled()).to.deep.equal([]);
  });
});

describe("a database and its chains", () => {
  const chain = { chainId: record.chainId, genesisHash };

  it("fit when the chain is the one it was used with, or it was used with none", () => {
    assertSameChain(record, chain);
    assertSameChain(record, { ...chain, genesisHash: `0x${"9A".repeat(32)}` });
    assertSameChain(undefined, chain);
    assertSameChain(undefined, { chainId: record.chainId });
  });

  it("do not fit when the chain is another one, or began after it", () => {
    const other: Hex = `0x${"9b".repeat(32)}`;
    for (const wrong of [{ ...chain, genesisHash: other }, { chainId: record.chainId }]) {
      expect(() => assertSameChain(record, wrong))
        .to.throw(StoreChainMismatchError, "--reset")
        .with.property("chainId", record.chainId);
    }
  });
});

describe("dollars that are searched by", () => {
  it("are whole micro-dollars, and never more than a number holds", () => {
    expect(microDollars(0n)).to.equal(0);
    expect(microDollars(10n ** 18n)).to.equal(1_000_000);
    expect(microDollars(10n ** 12n - 1n)).to.equal(0);
    expect(microDollars(10n ** 60n)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});
