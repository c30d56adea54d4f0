import { expect } from "chai";
import { type Hex, HttpRequestError, toHex } from "viem";
import type { LogEntry } from "../../../../../../emulator/log/LogEntry.ts";
import { cancel } from "../../../../../../emulator/solver/deposits/pay/cancel.ts";
import { createReceiptPolls, settleAll } from "../../../../../../emulator/solver/deposits/pay/settle.ts";
import { settleFailedCancels } from "../../../../../../emulator/solver/deposits/pay/settleFailedCancels.ts";
import { evmLedger } from "../../../../../../emulator/solver/evmLedger.ts";
import type { Store } from "../../../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../../helpers/processes/stores.ts";
import { testContext } from "../../../support/context.ts";
import { fakeChain } from "../../../support/fakeChains.ts";
import { accounts } from "../../../support/liveChain.ts";
import { addDeposit, addRequest, addTransaction, idOf, readAll } from "../../../support/requests.ts";
import { signedFill } from "../../../support/signedFill.ts";

const chainId = 31338;
const block: Hex = `0x${"b1".repeat(32)}`;

forEachStore("settlement of transactions one of which cannot be recorded", (kind) => {
  let store: Store;
  let logged: LogEntry[];
  let hashes: Hex[];
  beforeEach(async () => {
    ({ store } = await kind.open());
    logged = [];
    hashes = [];
  });

  /** Stores a signed fill for a request of its own. */
  async function addFill(index: number, status: "submitted" | "waiting"): Promise<void> {
    const request_id = idOf(500 + index);
    const deposit_id = `31337:${index}:0`;
    const fill = await signedFill(index);
    hashes.push(fill.hash);
    await addRequest(store, { id: request_id, order_id: idOf(600 + index), status });
    await addDeposit(store, { id: deposit_id, request_id });
    await addTransaction(store, { ...fill, deposit_id, nonce: index, request_id });
  }
  /** A chain whose block 7 holds all fills. */
  function ledgerOf(receipt: (hash: Hex) => object | null = receiptOf) {
    const base = fakeChain(chainId, "beta", {
      answers: {
        eth_getTransactionCount: () => toHex(hashes.length),
        eth_getTransactionReceipt: ([hash]) => receipt(hash as Hex),
        eth_sendRawTransaction: () => hashes[0],
      },
    });
    const chain = { ...base, head: () => ({ ...base.head(), hash: block, number: 7n }) };
    const context = testContext({
      chains: new Map([[chainId, chain]]),
      log: (entry) => logged.push(entry),
      now: () => 5_000,
      store,
    });
    return { context, ledger: evmLedger(chain, context) };
  }
  const receiptOf = (hash: Hex) =>
    hashes.includes(hash)
      ? {
          blockHash: block,
          blockNumber: "0x7",
          effectiveGasPrice: "0x1",
          from: accounts.solver.account.address,
          gasUsed: "0x5208",
          logs: [],
          status: "0x1",
          transactionHash: hash,
        }
      : null;
  const statuses = async () => (await readAll(store, "requests", "id")).map(({ status }) => status);
  const states = async () =>
    (await readAll(store, "transactions", "id")).map((row) => `${row.kind} ${row.state}`);
  const errors = () => logged.filter(({ level }) => level === "error").map(({ message }) => message);

  it("a mined fill of a request that cannot succeed: the other fills are recorded", async () => {
    await addFill(0, "submitted");
    // No payment leads from this status to success.
    await addFill(1, "waiting");
    await addFill(2, "submitted");
    const { context, ledger } = ledgerOf();
    await settleAll(ledger, context, createReceiptPolls());
    expect(await states()).to.deep.equal(["fill mined", "fill signed", "fill mined"]);
    expect(await statuses()).to.deep.equal(["success", "waiting", "success"]);
    expect(errors()).to.deep.equal(["settling a fill failed"]);
    expect(logged.find(({ level }) => level === "error")?.requestId).to.equal(idOf(501));
  });

  it("a fill that was mined despite its cancel, of a request that cannot succeed: the other cancels are settled", async () => {
    await addFill(0, "waiting");
    await addFill(1, "submitted");
    await store.transaction().execute(async (transaction) => {
      for (const row of await readAll(transaction, "transactions", "id")) {
        await cancel(transaction, row, { accounts });
      }
      await transaction.updateTable("deposits").set({ state: "refund-due" }).execute();
    });
    const { context, ledger } = ledgerOf();
    await settleFailedCancels(ledger, context);
    expect(await statuses()).to.deep.equal(["waiting", "success"]);
    expect(await states()).to.deep.equal(["fill signed", "fill mined", "cancel signed"]);
    expect(errors()).to.deep.equal(["settling a cancel failed"]);
  });

  it("a node that is away: ends the settlement at once, and nothing is recorded", async () => {
    await addFill(0, "submitted");
    await addFill(1, "submitted");
    const { context, ledger } = ledgerOf(() => {
      throw new HttpRequestError({ url: "http://127.0.0.1:1" });
    });
    const error = await failureOf(settleAll(ledger, context, createReceiptPolls()));
    expect(String(error)).to.match(/HttpRequestError|HTTP request failed/);
    expect(await states()).to.deep.equal(["fill signed", "fill signed"]);
    expect(errors()).to.deep.equal([]);
  });
});
