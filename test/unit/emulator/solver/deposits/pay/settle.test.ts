import { expect } from "chai";
import type { Hex } from "viem";
import { cancel } from "../../../../../../emulator/solver/deposits/pay/cancel.ts";
import { createReceiptPolls, settleAll } from "../../../../../../emulator/solver/deposits/pay/settle.ts";
import { evmLedger } from "../../../../../../emulator/solver/ledgers/evm/evmLedger.ts";
import type { Store } from "../../../../../../emulator/store/tables.ts";

import { testContext } from "../../../support/context.ts";
import { fakeChain } from "../../../support/fakeChains.ts";
import { accounts } from "../../../support/liveChain.ts";
import {
  addDeposit,
  addRequest,
  addTransaction,
  emptyStore,
  readAll,
  readTriggers,
} from "../../../support/requests.ts";
import { signedFill } from "../../../support/signedFill.ts";

const chainId = 31338;
const block: Hex = `0x${"b1".repeat(32)}`;

describe("settleAll", () => {
  let store: Store;
  let hash: Hex;
  beforeEach(async () => {
    const fill = await signedFill(0);
    ({ hash } = fill);
    store = await emptyStore();
    await addRequest(store, { status: "submitted" });
    await addDeposit(store);
    await addTransaction(store, fill);
  });
  afterEach(() => store.destroy());

  /** Settles on a chain whose block 7 holds the fill; `meanwhile` runs before the node's answer. */
  async function settle(isSuccessful: boolean, meanwhile: () => Promise<unknown> = async () => undefined) {
    const base = fakeChain(chainId, "beta", {
      answers: {
        eth_call: () => "0x",
        eth_getTransactionReceipt: async () => {
          await meanwhile();
          return {
            blockHash: block,
            blockNumber: "0x7",
            effectiveGasPrice: "0x1",
            from: accounts.solver.account.address,
            gasUsed: "0x5208",
            logs: [],
            status: isSuccessful ? "0x1" : "0x0",
            transactionHash: hash,
          };
        },
        eth_sendRawTransaction: () => hash,
      },
    });
    const chain = { ...base, head: () => ({ ...base.head(), hash: block, number: 7n }) };
    const context = testContext({ chains: new Map([[chainId, chain]]), now: () => 5_000, store });
    await settleAll(evmLedger(chain, context), context, createReceiptPolls());
  }
  const rows = async () =>
    (await readAll(store, "transactions", "id")).map((row) => [row.kind, row.state, row.block_hash]);

  it("a mined fill: records its block and the request's success", async () => {
    await settle(true);
    expect(await rows()).to.deep.equal([["fill", "mined", block]]);
    expect(await readTriggers(store)).to.deep.equal(["fill-succeeded"]);
  });

  it("a receipt of a block that the search replaced: waits for the one in its place", async () => {
    const values = { chain_id: chainId, hash: `0x${"b2".repeat(32)}`, number: 7 };
    await store.insertInto("blocks").values(values).execute();
    await settle(true);
    expect(await rows()).to.deep.equal([["fill", "signed", null]]);
    await store.updateTable("blocks").set({ hash: block }).execute();
    await settle(true);
    expect(await rows()).to.deep.equal([["fill", "mined", block]]);
  });

  it("a fill that another process replaces meanwhile: leaves it, and plans no second refund", async () => {
    // The other process saw the fill revert, signed the refund, then saw a reorg remove the fill from its block.
    await settle(false, () =>
      store.transaction().execute(async (transaction) => {
        const [row] = await readAll(transaction, "transactions");
        if (row === undefined) throw new Error("no fill is stored");
        await cancel(transaction, row, { accounts });
        await addTransaction(transaction, { chain_id: 31337, hash: "0xf2", kind: "refund" });
        await transaction.updateTable("deposits").set({ state: "refund-signed" }).execute();
        await transaction.updateTable("requests").set({ status: "pending" }).execute();
      }),
    );
    const [deposit] = await readAll(store, "deposits");
    expect(deposit).to.include({ state: "refund-signed" });
    expect(await rows()).to.deep.equal(["fill", "cancel", "refund"].map((kind) => [kind, "signed", null]));
    expect(await readTriggers(store)).to.deep.equal([]);
  });
});
