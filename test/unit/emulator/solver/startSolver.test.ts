import { expect } from "chai";
import { type Hex, zeroHash } from "viem";
import type { Chain } from "../../../../emulator/chains/Chain.ts";
import { type Solver, startSolver } from "../../../../emulator/solver/startSolver.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { testContext } from "../support/context.ts";
import { fakeChain } from "../support/fakeChains.ts";
import { emptyStore } from "../support/requests.ts";
import { pause } from "../support/waiting.ts";

/** A chain with one empty block, which counts the searches and announces a block on demand. */
function countedChain(id: number) {
  const listeners: (() => void)[] = [];
  const block = {
    hash: `0x${"b0".repeat(32)}` as Hex,
    number: "0x0",
    parentHash: zeroHash,
    timestamp: "0x1",
    transactions: [],
  };
  const counted = { announce: () => listeners.forEach((listener) => void listener()), searches: 0 };
  const newest = () => {
    counted.searches++;
    return block;
  };
  const chain: Chain = {
    ...fakeChain(id, `chain-${id}`, { answers: { eth_getBlockByNumber: newest } }),
    onBlock: (listener) => {
      listeners.push(listener as () => void);
      return () => {};
    },
  };
  return { chain, counted };
}

describe("startSolver", () => {
  const busy = countedChain(31337);
  const silent = countedChain(31338);
  let solver: Solver;
  let store: Store;
  before(async () => {
    store = await emptyStore();
    const chains = new Map([busy, silent].map(({ chain }) => [chain.definition.id, chain]));
    solver = startSolver(testContext({ chains, store }));
    await pause(100);
  });
  after(async () => {
    await solver.stop();
    await store.destroy();
  });

  it("a chain that announces 20 blocks in 1.2 s: each is searched, a silent chain every half second", async () => {
    const before = { busy: busy.counted.searches, silent: silent.counted.searches };
    for (let blocks = 0; blocks < 20; blocks++) {
      busy.counted.announce();
      await pause(60);
    }
    expect(busy.counted.searches - before.busy).to.be.within(15, 30);
    expect(silent.counted.searches - before.silent).to.be.within(1, 3);
  });

  it("poke searches a silent chain at once", async () => {
    const before = silent.counted.searches;
    solver.poke();
    await pause(40);
    expect(silent.counted.searches).to.be.greaterThan(before);
  });

  it("stop ends it within the pause between two rounds", async () => {
    const begin = performance.now();
    await solver.stop();
    expect(performance.now() - begin).to.be.below(200);
    const after = silent.counted.searches;
    await pause(600);
    expect(silent.counted.searches).to.equal(after);
  });
});
