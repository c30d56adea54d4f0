import { expect } from "chai";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import type { SvmChain } from "../../../../../emulator/chains/svm/SvmChain.ts";
import { svmParts } from "../../../../../emulator/chains/svm/svmParts.ts";
import { paymentInstructions, signSvmTransaction } from "../../../../../emulator/chains/svm/svmPayment.ts";
import { copyStore, restoreStore } from "../../../../../emulator/control/state/copyStore.ts";
import { findSvmDeposits } from "../../../../../emulator/solver/svm/findSvmDeposits.ts";
import { searchSvm } from "../../../../../emulator/solver/svm/svmLedger.ts";
import { openStore, type Store } from "../../../../../emulator/store/openStore.ts";
import { sol } from "../../../../helpers/svm.ts";
import { testContext } from "../../support/context.ts";

describe("searchSvm", () => {
  let store: Store;
  let chain: SvmChain;
  let time = 1_700_000_000_000;
  const now = () => time++;
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
    chain = await openSvmChain({ now, random32: () => `0x${"11".repeat(32)}`, store });
  });
  afterEach(() => store.destroy());

  const pay = async (memo?: string) => {
    const { accounts, ledger, packages } = svmParts(chain);
    const user = accounts.users[0]?.signer ?? accounts.faucet.signer;
    const parts = {
      amount: 7n,
      currency: sol,
      from: user,
      memo,
      payer: user,
      to: accounts.solver.signer.address,
    };
    const { blockhash } = await ledger.head();
    const instructions = await paymentInstructions(parts, packages);
    await ledger.send(await signSvmTransaction(instructions, { blockhash, payer: user }, packages));
  };
  const search = (searched: Store) => searchSvm(chain, testContext({ now, store: searched }));

  it("a snapshot that is restored between finding and recording: the position stays, and later payments are found", async () => {
    await search(store);
    const snapshot = await copyStore(store);
    await pay();
    const restoring = store.withoutPlugins();
    restoring.transaction = () => {
      const execute = async (work: never) => {
        await restoreStore(store, snapshot);
        return store.transaction().execute(work);
      };
      return { execute } as never;
    };
    await search(restoring);
    await pay(`0x${"77".repeat(32)}`);
    const { next_block } = await store.selectFrom("cursors").select("next_block").executeTakeFirstOrThrow();
    const { found } = await findSvmDeposits(chain, store, Number(next_block) - 1);
    expect(found.map(({ amount }) => amount)).to.deep.equal([7n]);
  });
});
