import { expect } from "chai";
import { loadSvm } from "../../../../emulator/chains/svm/loadSvm.ts";
import { openSvmChain } from "../../../../emulator/chains/svm/openSvmChain.ts";
import { openSvmLedger } from "../../../../emulator/chains/svm/openSvmLedger.ts";
import type { SvmChain } from "../../../../emulator/chains/svm/SvmChain.ts";
import { svmParts } from "../../../../emulator/chains/svm/svmParts.ts";
import { mostUnits } from "../../../../emulator/chains/svm/swap/swapInstruction.ts";
import { repegSvmPools } from "../../../../emulator/control/prices/repegSvmPools.ts";
import { findSvmLeg } from "../../../../emulator/router/findSvmLeg.ts";
import { openStore } from "../../../../emulator/store/openStore.ts";
import type { Store } from "../../../../emulator/store/tables.ts";

describe("findSvmLeg", () => {
  let store: Store;
  let time = 1_700_000_000_000;
  const sources = () => ({ now: () => time++, random32: () => `0x${"11".repeat(32)}` as const, store });
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
  });
  afterEach(() => store.destroy());

  const currencyOf = ({ currencies }: SvmChain, wanted: string) => {
    const found = currencies.find(({ symbol }) => symbol === wanted);
    if (found === undefined) throw new Error(`no ${wanted}`);
    return found;
  };
  const find = (chain: SvmChain, maxRouteLength?: number) =>
    findSvmLeg(chain, {
      ...{ amount: 10n ** 9n, from: currencyOf(chain, "JTO"), to: currencyOf(chain, "USDC") },
      maxRouteLength,
    });

  it("route lengths of 0 and 1, and up to 2^53: bound the hops, and none is longer than a swap", async () => {
    const chain = await openSvmChain(sources());
    expect(await find(chain, 0)).to.equal(undefined);
    expect(await find(chain, 1)).to.equal(undefined);
    for (const most of [2, 3, 8, Number.MAX_SAFE_INTEGER, undefined]) {
      const hops = (await find(chain, most))?.pools.length ?? 0;
      expect(hops > 1 && hops <= Math.min(most ?? 8, 8), `${most}: ${hops}`).to.equal(true);
    }
  });

  it("a chain of an earlier store, whose pools hold nothing: has no route, and no trade to the price table", async () => {
    const { signer } = svmParts(await openSvmChain(sources())).accounts.faucet;
    await store.deleteFrom("svm_entries").execute();
    const earlier = openSvmLedger(await loadSvm(), sources(), [
      { amount: 10n ** 12n, currency: "11111111111111111111111111111111", owner: signer.address },
    ]);
    await earlier.head();
    const chain = await openSvmChain(sources());
    expect(await find(chain)).to.equal(undefined);
    expect(await repegSvmPools(chain)).to.deep.equal([]);
  });

  it("a pool with one unit less than the swap program trades: is on a route, and with one more on none", async () => {
    const chain = await openSvmChain(sources());
    const { ledger, pools } = svmParts(chain);
    const pool = pools.find(({ tokens }) =>
      tokens.every(({ symbol }) => symbol === "JTO" || symbol === "RAY"),
    );
    const jto = pool?.tokens.find(({ symbol }) => symbol === "JTO");
    if (pool === undefined || jto === undefined) throw new Error("no pool of JTO");
    for (const [amount, isOpen] of [
      [mostUnits - 1n, true],
      [mostUnits, false],
      [0n, false],
    ] as const) {
      await ledger.setBalances([{ amount, currency: jto.address, owner: pool.address }]);
      expect((await find(chain)) !== undefined, `${amount}`).to.equal(isOpen);
    }
  });
});
