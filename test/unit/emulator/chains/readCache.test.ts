import { expect } from "chai";
import { cacheReads } from "../../../../emulator/chains/readCache.ts";

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

  it("equal reads at the same time: share one call", async () => {
    const { balance, chain } = chainOf();
    expect(await Promise.all([balance(), balance()])).to.deep.equal(["a:1", "a:1"]);
    expect(chain.asked).to.equal(1);
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

  it("watched reads: leave the cache", async () => {
    const { balance, cache, chain } = chainOf();
    await balance();
    for (const method of ["eth_getLogs", "eth_call", "debug_traceTransaction"]) {
      expect(await cache.watch(method, async () => method)).to.equal(method);
    }
    await balance();
    expect(chain.asked).to.equal(1);
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

  it("`forget`: empties the cache", async () => {
    const { balance, cache, call, chain } = chainOf();
    expect([await balance(), await call()]).to.deep.equal(["a:1", "a:1"]);
    chain.balance = 2;
    cache.forget();
    expect([await balance(), await call()]).to.deep.equal(["a:2", "a:2"]);
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

  it("failures: are not cached, and those of watched calls are passed on", async () => {
    const { balance, cache, chain } = chainOf();
    chain.fails = true;
    const failed = await balance().catch((error: Error) => error.message);
    chain.fails = false;
    expect([failed, await balance()]).to.deep.equal(["no", "a:1"]);
    const broken = cache.watch("evm_mine", async () => {
      throw new Error("broken");
    });
    expect(await broken.catch((error: Error) => error.message)).to.equal("broken");
    chain.balance = 2;
    expect(await balance()).to.equal("a:2");
  });

  it("2,001 answers: the oldest is dropped", async () => {
    const { balance, chain } = chainOf();
    for (let i = 0; i < 2_001; i++) await balance(String(i));
    await balance("0");
    expect(chain.asked).to.equal(2_002);
  });
});
