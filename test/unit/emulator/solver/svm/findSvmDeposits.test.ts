import { expect } from "chai";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import { svmParts } from "../../../../../emulator/chains/svm/svmParts.ts";
import { paymentInstructions, signSvmTransaction } from "../../../../../emulator/chains/svm/svmPayment.ts";
import { findSvmDeposits } from "../../../../../emulator/solver/svm/findSvmDeposits.ts";
import { openStore, type Store } from "../../../../../emulator/store/openStore.ts";
import { sol } from "../../../../helpers/svm.ts";

describe("findSvmDeposits", () => {
  let store: Store;
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
  });
  afterEach(() => store.destroy());

  it("payments that arrive during a search, before and after each step: are found in it or in the next one", async () => {
    const chain = await openSvmChain({
      now: () => 1_700_000_000_000,
      random32: () => `0x${"11".repeat(32)}`,
      store,
    });
    const { accounts, ledger, packages } = svmParts(chain);
    const user = accounts.users[0]?.signer ?? accounts.solver.signer;
    let paid = 0n;
    const pay = async () => {
      const memo = `0x${"77".repeat(32)}`;
      const to = accounts.solver.signer.address;
      const parts = { amount: ++paid, currency: sol, from: user, memo, payer: user, to };
      const { blockhash } = await ledger.head();
      const instructions = await paymentInstructions(parts, packages);
      await ledger.send(await signSvmTransaction(instructions, { blockhash, payer: user }, packages));
    };
    const around = async <Result>(step: () => Promise<Result>): Promise<Result> => {
      await pay();
      const result = await step();
      await pay();
      return result;
    };
    const busy: typeof ledger = {
      ...ledger,
      head: () => around(() => ledger.head()),
      read: (reader) => around(() => ledger.read(reader)),
    };
    const during = await findSvmDeposits({ ...chain, svm: { ...svmParts(chain), ledger: busy } }, store, -1);
    const later = await findSvmDeposits(chain, store, during.slot);
    const amounts = [...during.found, ...later.found].map(({ amount }) => amount);
    expect(amounts).to.deep.equal(Array.from({ length: Number(paid) }, (_, index) => BigInt(index + 1)));
  });
});
