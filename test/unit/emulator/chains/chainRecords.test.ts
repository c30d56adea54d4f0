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
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { contracts, ether, usdc } from "../support/fakeChains.ts";

const genesisHash: Hex = `0x${"9a".repeat(32)}`;
const record: ChainRecord = { chainId: 2 ** 40, contracts, currencies: [ether, usdc], genesisHash };

forEachDialect("saveChainRecord and loadChainRecord", (kind) => {
  it("a second record of a chain: the first stays stored and is returned", async () => {
    const { store } = await kind.open();
    expect(await loadChainRecord(store, record.chainId)).to.equal(undefined);
    expect(await saveChainRecord(store, record)).to.equal(undefined);
    expect(await saveChainRecord(store, { ...record, currencies: [] })).to.deep.equal(record);
    expect(await loadChainRecord(store, record.chainId)).to.deep.equal(record);
    expect(await loadChainRecord(store, 1)).to.equal(undefined);
  });

  it("a stored chain without one of its contracts, or a currency of -1 decimals: throws ZodError", async () => {
    const { store } = await kind.open();
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
});

describe("assertSameChain", () => {
  const chain = { chainId: record.chainId, genesisHash };

  it("accepts the recorded chain, its genesis hash in any letter case, and any chain without a record", () => {
    assertSameChain(record, chain);
    assertSameChain(record, { ...chain, genesisHash: `0x${"9A".repeat(32)}` });
    assertSameChain(undefined, chain);
    assertSameChain(undefined, { chainId: record.chainId });
  });

  it("rejects a chain of another genesis hash, and one without a genesis block", () => {
    const other: Hex = `0x${"9b".repeat(32)}`;
    for (const wrong of [{ ...chain, genesisHash: other }, { chainId: record.chainId }]) {
      expect(() => assertSameChain(record, wrong))
        .to.throw(StoreChainMismatchError, "--reset")
        .with.property("chainId", record.chainId);
    }
  });
});
