import { expect } from "chai";
import type { Address } from "viem";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { type Exchange, openExchange } from "../../../../../emulator/perps/openExchange.ts";
import { cancel } from "../../../../../emulator/solver/deposits/pay/cancel.ts";
import { createReceiptPolls, settleAll } from "../../../../../emulator/solver/deposits/pay/settle.ts";
import { settleFailedCancels } from "../../../../../emulator/solver/deposits/pay/settleFailedCancels.ts";
import { exchangeLedger } from "../../../../../emulator/solver/ledgers/exchange/exchangeLedger.ts";
import type { SolverLedger } from "../../../../../emulator/solver/SolverLedger.ts";
import type { Store, TransactionRow } from "../../../../../emulator/store/tables.ts";

import { perpsUsdcAddress } from "../../../../../src/perps/constants.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { testContext } from "../../support/context.ts";
import { recipient } from "../../support/fakeChains.ts";
import { accounts } from "../../support/liveChain.ts";
import { addDeposit, addRequest, readAll, readRequest, transactionRow } from "../../support/requests.ts";

const start = 1_700_000_000_000;
const dayMs = 86_400_000;
const amount = 2_500_000_000n;
const solver = accounts.solver.account.address;

forEachStore("the solver's payments on the perps exchange", (kind) => {
  let store: Store;
  let now: number;
  let context: Context;
  let exchange: Exchange;
  let ledger: SolverLedger;
  beforeEach(async () => {
    now = start;
    store = (await kind.open()).store;
    context = testContext({ now: () => now, store });
    await startAgain();
    await addRequest(store, { destination_chain_id: 1337, status: "submitted" });
    await addDeposit(store);
  });

  /** Opens exchange and ledger on the database, as a process does after a crash. */
  async function startAgain(): Promise<void> {
    exchange = await openExchange({ accounts, now: () => now, store });
    ledger = exchangeLedger(exchange, context);
  }

  /** Signs and stores a payment, a fill by default, and ends before it is posted. */
  async function storePayment(made: TransactionRow["kind"] = "fill"): Promise<TransactionRow> {
    const currency: Address = perpsUsdcAddress;
    const payment = await ledger.prepareFill(
      { fill: { currency }, recipient } as Parameters<SolverLedger["prepareFill"]>[0],
      { inventory: amount } as Parameters<SolverLedger["prepareFill"]>[1],
    );
    if (!("spends" in payment)) throw new Error("there is no payment");
    const signer = await ledger.openSigner([payment]);
    expect(signer.reserve(payment)).to.equal(true);
    return store.transaction().execute(async (transaction) => {
      const signed = await signer.sign(transaction, payment);
      const values = { ...transactionRow({ chain_id: 1337, kind: made }), ...signed };
      return transaction.insertInto("transactions").values(values).returningAll().executeTakeFirstOrThrow();
    });
  }

  const settle = () => settleAll(ledger, context, createReceiptPolls());
  const balances = async () => ({
    recipient: await exchange.balanceOf(perpsUsdcAddress, recipient),
    solver: await exchange.balanceOf(perpsUsdcAddress, solver),
  });
  const states = async () =>
    (await readAll(store, "transactions", "id")).map(({ kind: made, state }) => [made, state]);

  it("a crash between store and post: the next process posts the same bytes, and they move once", async () => {
    const before = await balances();
    const row = await storePayment();
    await startAgain();
    expect(await balances()).to.deep.equal(before);
    for (let count = 0; count < 3; count++) expect(await ledger.send(row)).to.equal(true);
    expect(await settle()).to.equal(false);
    expect(await balances()).to.deep.equal({
      recipient: before.recipient + amount,
      solver: before.solver - amount,
    });
    const executed = await readAll(store, "exchange_actions");
    expect(executed.map(({ hash }) => hash)).to.deep.equal([row.hash]);
    expect(JSON.parse(executed[0]?.request ?? "")).to.deep.equal(JSON.parse(row.raw));
    expect(await readRequest(store)).to.include({ delivered: amount.toString(), status: "success" });
  });

  it("a crash between post and record: the next process records the payment and posts nothing", async () => {
    const row = await storePayment();
    await ledger.send(row);
    const after = await balances();
    await startAgain();
    await settle();
    expect(await balances()).to.deep.equal(after);
    expect(await readRequest(store)).to.include({ status: "success" });
    expect(await states()).to.deep.equal([["fill", "mined"]]);
  });

  it("a payment that expires before it is posted: moves nothing, even later, and its deposit is refunded", async () => {
    const before = await balances();
    const row = await storePayment();
    now = start + 2 * dayMs - 1;
    expect(await ledger.readOutcome(row)).to.equal(undefined);
    now = start + 2 * dayMs;
    expect(await ledger.send(row)).to.equal(false);
    expect(await settle()).to.equal(true);
    expect(await ledger.send(row)).to.equal(false);
    expect(await balances()).to.deep.equal(before);
    expect(await states()).to.deep.equal([["fill", "reverted"]]);
    const [deposit] = await readAll(store, "deposits");
    expect(deposit).to.include({ reason: "TRANSACTION_REVERTED", state: "refund-due" });
  });

  it("an executed payment whose nonce is old: is recorded as executed", async () => {
    const row = await storePayment();
    await ledger.send(row);
    now = start + 3 * dayMs;
    await settle();
    expect(await readRequest(store)).to.include({ status: "success" });
  });

  it("a cancel that is executed first: uses the nonce, and the payment moves nothing", async () => {
    const before = await balances();
    const row = await storePayment();
    await store.transaction().execute((transaction) => cancel(transaction, row, context));
    await settle();
    expect(await states()).to.deep.equal([
      ["fill", "signed"],
      ["cancel", "mined"],
    ]);
    // The exchange has the nonce, with other bytes.
    await exchange.execute(JSON.parse(row.raw));
    expect(await balances()).to.deep.equal(before);
    expect((await ledger.readOutcome(row))?.failure?.details).to.equal(
      "Another action has used the payment's nonce",
    );
  });

  it("a cancel after its payment was executed: ends the request with the payment", async () => {
    const before = await balances();
    const row = await storePayment();
    await ledger.send(row);
    await store.transaction().execute((transaction) => cancel(transaction, row, context));
    await store.updateTable("deposits").set({ state: "refund-due" }).execute();
    await settleFailedCancels(ledger, context);
    await settle();
    expect(await balances()).to.deep.equal({
      recipient: before.recipient + amount,
      solver: before.solver - amount,
    });
    expect(await states()).to.deep.equal([["fill", "mined"]]);
    expect(await readRequest(store)).to.include({ status: "success" });
  });

  it("payments stored at one time: draw nonces of their own", async () => {
    const rows = [await storePayment(), await storePayment("refund")];
    expect(rows.map(({ nonce }) => nonce)).to.deep.equal([start, start + 1]);
  });
});
