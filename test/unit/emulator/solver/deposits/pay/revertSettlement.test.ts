import { expect } from "chai";
import { type Address, encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex } from "viem";
import { applyTrigger } from "../../../../../../emulator/requests/applyTrigger.ts";
import { serializeIntent } from "../../../../../../emulator/requests/Intent.ts";
import { revertSettlement } from "../../../../../../emulator/solver/deposits/pay/revertSettlement.ts";
import type { MinedLog } from "../../../../../../emulator/solver/receipts/readBlocks.ts";
import type { TransactionRow } from "../../../../../../emulator/store/tables.ts";
import { testContext } from "../../../support/context.ts";
import { fakeChains, recipient } from "../../../support/fakeChains.ts";
import {
  addDeposit,
  addRequest,
  addTransaction,
  emptyStore,
  intent,
  readAll,
  readRequest,
  requestId,
} from "../../../support/requests.ts";

describe("revertSettlement", () => {
  describe("a payment that a reorg moved to another block with the same status", () => {
    const token: Address = `0x${"55".repeat(20)}`;
    const output = serializeIntent({ ...intent, destination: { ...intent.destination, currency: token } });
    const oldBlock = { block_at: 1_000, block_hash: `0x${"b1".repeat(32)}`, block_number: 7 };
    const block = {
      hash: `0x${"b2".repeat(32)}` as Hex,
      number: 8n,
      parentHash: oldBlock.block_hash as Hex,
      timestamp: 5n,
      transactions: [],
    };
    const transferred = (value: bigint): MinedLog => ({
      address: token,
      data: encodeAbiParameters([{ type: "uint256" }], [value]),
      topics: encodeEventTopics({
        abi: erc20Abi,
        args: { from: token, to: recipient },
        eventName: "Transfer",
      }) as MinedLog["topics"],
    });
    /** Moves the row to the new block, where its transfer has another amount. */
    async function moved(row: Partial<TransactionRow>, request: Parameters<typeof addRequest>[1]) {
      const store = await emptyStore();
      await addRequest(store, { delivered: "99", intent: output, ...request });
      await addDeposit(store);
      await addTransaction(store, { ...oldBlock, fee: "10", gas_used: 1, state: "mined", ...row });
      const [stored] = (await readAll(store, "transactions")) as TransactionRow[];
      if (stored === undefined) throw new Error("no transaction");
      const receipt = {
        fee: 20n,
        gasUsed: 2n,
        isSuccessful: stored.state === "mined",
        logs: [transferred(97n)],
      };
      const found = { relayed: [], transactions: [{ place: { block, receipt }, row: stored }] };
      const context = testContext({ chains: fakeChains, now: () => 6_000, store });
      for (let twice = 0; twice < 2; twice++) {
        await store.transaction().execute((transaction) => revertSettlement(transaction, found, context));
      }
      const [transaction] = (await readAll(store, "transactions")) as TransactionRow[];
      const events = await readAll(store, "events");
      const read = { events, request: await readRequest(store), transaction };
      await store.destroy();
      return read;
    }
    const inNewBlock = { block_at: 5_000, block_hash: block.hash, block_number: 8, fee: "20", gas_used: 2 };

    it("a fill with another output: its request has the new amount, and the fill its new fee and gas", async () => {
      const { events, request, transaction } = await moved({}, { status: "success" });
      expect(request).to.include({ delivered: "97", status: "success", updated_at: 6_000 });
      expect(transaction).to.include({ ...inNewBlock, state: "mined" });
      expect(events).to.deep.equal([]);
    });

    it("a fill whose request ended with another payment: the fill alone has the new block", async () => {
      const { request, transaction } = await moved({}, { delivered: "50", status: "refund" });
      expect(request).to.include({ delivered: "50", status: "refund", updated_at: 1_000 });
      expect(transaction).to.include(inNewBlock);
    });

    it("a fill that reverted again: its request has the new block of the failed transaction", async () => {
      const failed = {
        delivered: null,
        failed_tx_block: 7,
        failed_tx_hash: "0xf1",
        status: "pending",
      } as const;
      const { request, transaction } = await moved({ state: "reverted" }, failed);
      expect(request).to.include({ delivered: null, failed_tx_block: 8 });
      expect(transaction).to.include({ ...inNewBlock, state: "reverted" });
    });
  });

  it("a fill or refund that a reorg removed: clears the amount, which a removed deposit keeps", async () => {
    const store = await emptyStore();
    await addRequest(store);
    const cases = [
      { expected: null, status: "success", trigger: "fill-reorged" },
      { expected: null, status: "refund", trigger: "refund-reorged" },
      { expected: "99", status: "success", trigger: "deposit-reorged" },
    ] as const;
    for (const { expected, status, trigger } of cases) {
      await store.updateTable("requests").set({ delivered: "99", status }).execute();
      await store
        .transaction()
        .execute((transaction) => applyTrigger(transaction, requestId, { trigger }, 6_000));
      expect((await readRequest(store)).delivered, trigger).to.equal(expected);
    }
    await store.destroy();
  });
});
