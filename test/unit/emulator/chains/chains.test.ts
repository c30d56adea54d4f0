import { expect } from "chai";
import type { Hex } from "viem";
import { definitionsOf } from "../../../../emulator/chains/chainDefinitions.ts";
import {
  assertSameChain,
  type ChainRecord,
  StoreChainMismatchError,
} from "../../../../emulator/chains/chainRecords.ts";
import { cacheReads } from "../../../../emulator/chains/readCache.ts";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import { contracts, ether, usdc } from "../support/fakeChains.ts";

describe("definitionsOf", () => {
  const idsOf = (...parameters: Parameters<typeof definitionsOf>) =>
    definitionsOf(...parameters).map(({ id, name }) => `${id} ${name}`);

  // @spec perps/evm-side perps/chain-id
  it("accepts chain 999 like any other, and rejects chain 1337, the perps exchange", () => {
    expect(idsOf({ chainIds: [999, 1] })).to.deep.equal(["999 alpha", "1 beta"]);
    expect(() => definitionsOf({ chainIds: [1337, 1] })).to.throw(InvalidParameterError, "perps exchange");
  });

  it("rejects invalid ids, duplicates, ids of other virtual machines, and a count that differs from the ids", () => {
    for (const [parameters, words] of [
      [{ chainIds: [0, 1] }, "0 is no chain id"],
      [{ chainIds: [-1] }, "-1 is no chain id"],
      [{ chainIds: [1.5] }, "1.5 is no chain id"],
      [{ chainIds: [Number.NaN] }, "NaN is no chain id"],
      [{ chainIds: [2 ** 53] }, "9007199254740992 is no chain id"],
      [{ chainIds: [7, 8, 7] }, "two of them are 7"],
      [{ chainIds: [1337, 2] }, "1337 is the perps exchange"],
      [{ chainIds: [2, 792_703_809] }, "792703809 is an SVM chain"],
      [{ chainIds: [] }, "there is none"],
      [{ chainIds: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, "there can be 8"],
      [{ chainCount: 2, chainIds: [1] }, "there are 2 chains, and 1 id"],
      [{ chainCount: 1, chainIds: [1, 2] }, "there is 1 chain, and 2 ids"],
      [{ chainCount: 9 }, "from 1 to 8"],
    ] as const) {
      expect(() => definitionsOf(parameters), words).to.throw(InvalidParameterError, words);
    }
  });
});

const genesisHash: Hex = `0x${"9a".repeat(32)}`;

const record: ChainRecord = { chainId: 2 ** 40, contracts, currencies: [ether, usdc], genesisHash };

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

/** A chain that counts its reads and whose balance `set` changes. */
function chainOf() {
  const chain = { asked: 0, balance: 1, fails: false, time: 0 };
  const cache = cacheReads(
    async (_method, params = []) => {
      chain.asked++;
      const seen = chain.balance;
      if (chain.fails) throw new Error("no");
      await Promise.resolve();
      return `${String(params[0])}:${seen}`;
    },
    () => chain.time,
  );
  const balance = (of = "a") => cache.rpc("eth_getBalance", [of, "latest"]);
  const call = () => cache.rpc("eth_call", ["a", "latest"]);
  const set = (value: number) =>
    cache.watch("eth_sendRawTransaction", async () => {
      chain.balance = value;
    });
  return { balance, cache, call, chain, set };
}

describe("cacheReads", () => {
  it("equal reads: ask the node once; other reads: ask again", async () => {
    const { balance, chain } = chainOf();
    expect([await balance(), await balance(), await balance("b")]).to.deep.equal(["a:1", "a:1", "b:1"]);
    expect(chain.asked).to.equal(2);
  });

  it("a call that may change the chain, of an unknown method included: empties the cache", async () => {
    const { balance, cache, chain, set } = chainOf();
    await balance();
    await set(2);
    expect(await balance()).to.equal("a:2");
    for (const method of ["evm_revert", "hardhat_setBalance", "evm_increaseTime", "some_newMethod"]) {
      const { asked } = chain;
      await cache.watch(method, async () => undefined);
      await balance();
      expect(chain.asked, method).to.equal(asked + 1);
    }
  });

  it("reads begun before or during a change: are not cached", async () => {
    const { balance, cache, chain } = chainOf();
    const early = balance();
    let during: Promise<unknown> = early;
    await cache.watch("evm_mine", async () => {
      during = balance();
      await during;
      chain.balance = 2;
    });
    expect([await early, await during]).to.deep.equal(["a:1", "a:1"]);
    expect(await balance()).to.equal("a:2");
  });

  it("500 ms later: calls are read again, balances are not", async () => {
    const { balance, call, chain } = chainOf();
    expect([await balance(), await call()]).to.deep.equal(["a:1", "a:1"]);
    chain.balance = 2;
    chain.time += 499;
    expect([await balance(), await call()]).to.deep.equal(["a:1", "a:1"]);
    chain.time += 1;
    expect([await balance(), await call()]).to.deep.equal(["a:1", "a:2"]);
  });
});
