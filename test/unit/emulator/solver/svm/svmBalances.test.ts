import { expect } from "chai";
import type { Address } from "viem";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import type { SvmChain } from "../../../../../emulator/chains/svm/SvmChain.ts";
import { copyStore, restoreStore } from "../../../../../emulator/control/state/copyStore.ts";
import { svmBalances } from "../../../../../emulator/solver/svm/svmBalances.ts";
import { openStore, type Store } from "../../../../../emulator/store/openStore.ts";
import { testContext } from "../../support/context.ts";
import { idOf } from "../../support/requests.ts";

const address: Address = idOf(77);

describe("svmBalances", () => {
  let store: Store;
  let chain: SvmChain;
  let time = 1_700_000_000_000;
  const now = () => time++;
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
    chain = await openSvmChain({ now, random32: () => idOf(1), store });
  });
  afterEach(() => store.destroy());

  const native = () => {
    const [currency] = chain.currencies;
    if (currency === undefined) throw new Error("the chain has no currency");
    return currency;
  };
  const give = (amount: bigint) => chain.setBalance(native().address, address, amount);

  it("slots that follow one another without a pause: the balance of one slot is read", async () => {
    let amount = 1_000_000_000n;
    let isRead = false;
    const giving = (async () => {
      while (!isRead) await give(++amount);
    })();
    try {
      const { balanceOf } = await svmBalances(address, chain, testContext({ now, store }));
      const held = await balanceOf(native());
      expect(held > 1_000_000_000n && held <= amount).to.equal(true);
    } finally {
      isRead = true;
      await giving;
    }
  });

  it("a snapshot with fewer slots that is restored during the search: no balance is shown", async () => {
    await chain.setBalance(native().address, idOf(78), 1_000_000_000n);
    const snapshot = await copyStore(store);
    await give(2_000_000_000n);
    const restoring = store.withoutPlugins();
    restoring.transaction = () => {
      const execute = async (work: never) => {
        await restoreStore(store, snapshot);
        return store.transaction().execute(work);
      };
      return { execute } as never;
    };
    const { balanceOf } = await svmBalances(address, chain, testContext({ now, store: restoring }));
    expect(await balanceOf(native())).to.equal(0n);
  });
});
