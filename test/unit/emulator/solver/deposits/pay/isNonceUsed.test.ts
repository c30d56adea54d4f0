import { expect } from "chai";
import type { Hex } from "viem";
import { isNonceUsed } from "../../../../../../emulator/solver/deposits/pay/planRefund.ts";
import { openLedgers } from "../../../../../../emulator/solver/startSolver.ts";
import type { TransactionRow } from "../../../../../../emulator/store/tables.ts";
import { testContext } from "../../../support/context.ts";
import { fakeChain } from "../../../support/fakeChains.ts";
import { addDeposit, addRequest, addTransaction, emptyStore, requestId } from "../../../support/requests.ts";

const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const [fill, cancel, block, otherBlock] = [hashOf("f1"), hashOf("c1"), hashOf("b1"), hashOf("b2")];

type Mined = { readonly hash: Hex; readonly blockHash?: Hex; readonly isSuccessful?: boolean };

/** Chain 31338 with one mined transaction, or none. */
function chainWith({ blockHash = block, hash, isSuccessful = false }: Partial<Mined> = {}) {
  const receipt = {
    blockHash,
    blockNumber: "0x1",
    logs: [],
    status: isSuccessful ? "0x1" : "0x0",
    transactionHash: hash,
  };
  return fakeChain(31338, "beta", {
    answers: {
      eth_getTransactionReceipt: ([asked]) => (asked === hash ? receipt : null),
    },
  });
}

describe("isNonceUsed", () => {
  const fillIn = (state: TransactionRow["state"]) => ({ hash: fill, state });
  const cancelIn = (state: TransactionRow["state"]) => ({ hash: cancel, kind: "cancel", state }) as const;
  const paid = { hash: fill, isSuccessful: true };
  const cases: readonly (readonly [
    title: string,
    stored: Partial<TransactionRow> | undefined,
    mined: Mined | undefined,
    isUsed: boolean,
  ])[] = [
    ["no fill", undefined, undefined, true],
    ["a fill that reverted in a block of the chain", fillIn("reverted"), { hash: fill }, true],
    ["a reverted fill that a reorg removed", fillIn("reverted"), undefined, false],
    [
      "a reverted fill that a reorg moved to another block",
      fillIn("reverted"),
      { blockHash: otherBlock, hash: fill },
      false,
    ],
    ["a reverted fill that succeeds after a reorg", fillIn("reverted"), paid, false],
    ["a pending fill", fillIn("signed"), undefined, false],
    ["a pending fill whose receipt is not recorded", fillIn("signed"), { hash: fill }, false],
    ["a fill that has paid", fillIn("mined"), paid, false],
    ["a pending cancel", cancelIn("signed"), undefined, false],
    ["a mined cancel", cancelIn("mined"), { hash: cancel, isSuccessful: true }, true],
    ["a cancelled fill that is mined and reverts", cancelIn("reverted"), { hash: fill }, true],
    ["a mined cancel that a reorg removed", cancelIn("mined"), undefined, false],
    ["a cancelled fill that is mined and pays", cancelIn("reverted"), paid, false],
  ];
  for (const [title, stored, mined, isUsed] of cases) {
    it(`${title}: the nonce is used, ${isUsed}`, async () => {
      const store = await emptyStore();
      await addRequest(store);
      await addDeposit(store);
      if (stored !== undefined) {
        const id = await addTransaction(store, { block_hash: block, ...stored });
        if (stored.kind === "cancel") await addTransaction(store, { hash: fill, replaced_by: id });
      }
      const chains = new Map([[31338, chainWith(mined)]]);
      const ledgers = openLedgers(testContext({ chains, store }));
      expect(await isNonceUsed({ request_id: requestId }, { ledgers, store })).to.equal(isUsed);
      await store.destroy();
    });
  }
});
