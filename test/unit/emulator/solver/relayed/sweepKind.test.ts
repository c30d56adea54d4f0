import { expect } from "chai";
import type { Address, Hex } from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { assignPayments } from "../../../../../emulator/solver/addresses/assignPayments.ts";
import { advanceRelayed } from "../../../../../emulator/solver/relayed/advanceRelayed.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";

import { forEachStore, openTwice } from "../../../../helpers/processes/stores.ts";
import { payer, solver, transferData } from "../../support/liveChain.ts";
import { readAll } from "../../support/requests.ts";
import { type PermitStage, paid, startPermitStage } from "./support/permitStage.ts";

/** An emulator's view of the chain and the database. */
type Process = { readonly chain: Chain; readonly context: Context };

forEachStore("sweeps of a deposit address by two emulators", (kind) => {
  if (!kind.isShared) return;
  let stage: PermitStage;
  let store: Store;
  let processes: readonly [Process, Process];
  before(async () => {
    const [first, second] = await openTwice(kind);
    store = first.store;
    stage = await startPermitStage(store);
    const process = (own: Store): Process => {
      // Each emulator has a client of its own.
      const chain = { ...stage.alpha.chain, client: { ...stage.alpha.chain.client } };
      const chains = new Map(stage.context.chains).set(chain.definition.id, chain);
      return { chain, context: { ...stage.context, chains, store: own } };
    };
    processes = [process(first.store), process(second.store)];
  });
  after(() => stage?.close());
  beforeEach(() => stage.reset());

  const nonce = () => stage.alpha.chain.client.getTransactionCount({ address: solver });
  const both = (work: (chain: Chain, context: Context) => Promise<void>) =>
    Promise.all(processes.map(({ chain, context }) => work(chain, context)));

  /** Quotes a deposit address, pays its amount to it this many times, and lets both emulators find and assign the payments. */
  async function paidAddress(payments: number): Promise<Address> {
    const originCurrency = stage.alpha.token("USDC");
    const wanted = { originCurrency, refundTo: payer, useDepositAddress: true, usePermit: false };
    const quote = await stage.quote(wanted);
    const address = quote.steps[0]?.depositAddress as Address;
    for (let index = 0; index < payments; index++) {
      await stage.alpha.send({ data: transferData(address, paid), to: stage.alpha.token("USDC") });
    }
    await both(scanChain);
    await both(assignPayments);
    // A payment beside the one that the request waits for may be judged in the next round.
    await both(assignPayments);
    return address;
  }
  /** Runs a round of an emulator that stops before it sends what it has stored. */
  async function runUntilSend({ chain, context }: Process): Promise<void> {
    const sendRawTransaction = () => Promise.reject(new Error("the process ended here"));
    await advanceRelayed({ ...chain, client: { ...chain.client, sendRawTransaction } }, context);
  }
  /** Runs a round of an emulator that has read the due sweeps before the other one's work, and signs after it. */
  async function runAcross({ chain, context }: Process, work: () => Promise<void>): Promise<void> {
    let done: Promise<void> | undefined;
    const estimateGas: typeof chain.client.estimateGas = async (call) => {
      done ??= work();
      await done;
      return stage.alpha.chain.client.estimateGas(call);
    };
    await advanceRelayed({ ...chain, client: { ...chain.client, estimateGas } }, context);
    if (done === undefined) throw new Error("the emulator read no due sweep");
  }
  const hashes = async () => (await readAll(store, "relayed_deposits")).map(({ hash }) => hash as Hex);

  /** Expects that the payments left the address by one transaction each, and reached the depository in full. */
  async function expectSwept(address: Address, payments: number, firstNonce: number): Promise<void> {
    const sweeps = await readAll(store, "relayed_deposits");
    expect(sweeps.map(({ kind: made, state }) => [made, state])).to.deep.equal(
      Array(payments).fill(["sweep", "mined"]),
    );
    expect(await nonce()).to.equal(firstNonce + payments);
    expect(await stage.alpha.heldBy(address, "USDC")).to.equal(0n);
    const held = await stage.alpha.heldBy(stage.alpha.chain.contracts.depository, "USDC");
    expect(held).to.equal(paid * BigInt(payments));
    await both(scanChain);
    const deposits = await readAll(store, "deposits");
    expect(deposits.map(({ state }) => state)).to.deep.equal(Array(payments).fill("fill-due"));
    expect(new Set(deposits.map(({ request_id }) => request_id)).size).to.equal(payments);
  }

  for (const payments of [1, 2]) {
    const what = payments === 1 ? "one payment" : "two payments to one address";
    it(`${what}, both emulators read the due sweep: the slower one neither signs nor drops it`, async () => {
      const firstNonce = await nonce();
      const address = await paidAddress(payments);
      const [first, second] = processes;
      await runAcross(second, () => advanceRelayed(first.chain, first.context));
      await both(advanceRelayed);
      await expectSwept(address, payments, firstNonce);
    });

    it(`${what}, the first emulator stops between store and send while the second prepares: one signature each`, async () => {
      const firstNonce = await nonce();
      const address = await paidAddress(payments);
      const [first, second] = processes;
      let stored: readonly Hex[] = [];
      await runAcross(second, async () => {
        await runUntilSend(first);
        stored = await hashes();
      });
      await both(advanceRelayed);
      expect(await hashes()).to.deep.equal(stored);
      await expectSwept(address, payments, firstNonce);
    });

    it(`${what}, the first emulator stops between store and send: the second sends the stored bytes once`, async () => {
      const firstNonce = await nonce();
      const address = await paidAddress(payments);
      await runUntilSend(processes[0]);
      const stored = await hashes();
      expect(stored).to.have.length(payments).and.not.include(null);
      expect(await nonce()).to.equal(firstNonce);
      await advanceRelayed(processes[1].chain, processes[1].context);
      // The first one is back.
      await both(advanceRelayed);
      expect(await hashes()).to.deep.equal(stored);
      await expectSwept(address, payments, firstNonce);
    });
  }
});
