import { expect } from "chai";
import { depositFactoryAddress } from "../../../../../emulator/chains/accounts.ts";
import { advanceRelayed } from "../../../../../emulator/solver/relayed/advanceRelayed.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";

import type { Quote } from "../../../../../src/schema/quote/quote.ts";
import { forEachDialect } from "../../../../helpers/processes/stores.ts";
import { until } from "../../../../helpers/requests/requestHistory.ts";
import { payer, solver, transferData } from "../../support/liveChain.ts";
import { addTransaction, idOf, readAll } from "../../support/requests.ts";
import { approveData, type PermitStage, paid, startPermitStage } from "./support/permitStage.ts";

const attacker = "0x000000000000000000000000000000000000dEaD";

forEachDialect("advanceRelayed", (kind) => {
  let stage: PermitStage;
  let store: Store;
  let firstNonce: number;
  before(async () => {
    ({ store } = await kind.open());
    stage = await startPermitStage(store);
    firstNonce = await nonce();
  });
  after(() => stage?.close());
  beforeEach(() => stage.reset());

  const nonce = () => stage.alpha.chain.client.getTransactionCount({ address: solver });
  const runRound = () => advanceRelayed(stage.alpha.chain, stage.context);
  const scan = () => scanChain(stage.alpha.chain, stage.context);
  const heldUsdt = () => stage.alpha.heldBy(payer, "USDT");
  const expectPermit = async (quote: Quote, columns: object) =>
    expect(await stage.permit(quote)).to.include(columns);
  const expectRequest = async (quote: Quote, columns: object) =>
    expect(await stage.request(quote)).to.include(columns);

  /** Lets a method of the client fail until the returned function is called. */
  function breakClient(method: "estimateGas" | "sendRawTransaction"): () => void {
    const { client } = stage.alpha.chain;
    const { [method]: working } = client;
    const failing = async () => {
      throw new Error("the node is away");
    };
    Object.assign(client, { [method]: failing });
    return () => Object.assign(client, { [method]: working });
  }
  /** One round in which the signed transactions are stored and cannot be sent. */
  async function runRoundWithoutSending(): Promise<void> {
    const repair = breakClient("sendRawTransaction");
    await runRound();
    repair();
  }
  async function leavePayer(amount: bigint): Promise<void> {
    const data = transferData(attacker, (await heldUsdt()) - amount);
    await stage.alpha.send({ data, to: stage.alpha.token("USDT") });
  }

  it("a crash between storing and sending: later rounds send the stored bytes once", async () => {
    const quote = await stage.acceptedQuote();
    await runRoundWithoutSending();
    const { hash, raw } = await stage.permit(quote);
    await expectPermit(quote, { nonce: firstNonce, state: "signed" });
    expect(await nonce()).to.equal(firstNonce);
    await runRound();
    await expectPermit(quote, { hash, raw, state: "mined" });
    for (let round = 0; round < 2; round++) await runRound();
    expect(await nonce()).to.equal(firstNonce + 1);
    expect(await readAll(store, "relayed_deposits")).to.have.length(1);
  });

  it("a crash between sending and recording the receipt: the next round records it and sends nothing", async () => {
    const quote = await stage.acceptedQuote();
    await runRound();
    const { hash } = await stage.permit(quote);
    const unmined = { block_hash: null, block_number: null, fee: null, gas_used: null } as const;
    await store
      .updateTable("relayed_deposits")
      .set({ ...unmined, state: "signed" })
      .execute();
    await runRound();
    await expectPermit(quote, { hash, state: "mined" });
    expect(await nonce()).to.equal(firstNonce + 1);
  });

  it("a stored fill that is not sent: the permit gets the nonce after it", async () => {
    const first = await stage.acceptedQuote();
    await runRound();
    await scan();
    const { nonce: used } = await stage.permit(first);
    const [deposit] = await readAll(store, "deposits");
    const next = Number(used) + 1;
    await addTransaction(store, {
      chain_id: stage.alpha.chain.definition.id,
      deposit_id: deposit?.id ?? "",
      nonce: next,
      request_id: (await stage.request(first)).id,
    });
    const second = await stage.acceptedQuote();
    await runRoundWithoutSending();
    await expectPermit(second, { nonce: next + 1 });
  });

  it("two stored permits: are sent in the order of their nonces", async () => {
    const quotes = [await stage.acceptedQuote(), await stage.acceptedQuote()];
    await runRoundWithoutSending();
    const nonces = (await readAll(store, "relayed_deposits", "nonce")).map((row) => row.nonce);
    expect(nonces).to.deep.equal([firstNonce, firstNonce + 1]);
    await runRound();
    for (const quote of quotes) await expectPermit(quote, { state: "mined" });
  });

  it("three permits in three rounds at once: each is sent once and accepted for its own request", async () => {
    const quotes = [await stage.acceptedQuote(), await stage.acceptedQuote(), await stage.acceptedQuote()];
    await Promise.all([runRound(), runRound(), runRound()]);
    await runRound();
    for (const quote of quotes) await expectPermit(quote, { state: "mined" });
    expect(await nonce()).to.equal(firstNonce + quotes.length);
    await scan();
    const deposits = await readAll(store, "deposits");
    expect(deposits.map(({ state }) => state)).to.deep.equal(quotes.map(() => "fill-due"));
    expect(new Set(deposits.map(({ request_id }) => request_id)).size).to.equal(quotes.length);
  });

  it("a permit that expires before it is sent: fails with SIGNATURE_EXPIRED", async () => {
    const quote = await stage.quote({ permitExpiry: 30 });
    await stage.accept(quote);
    const { chain } = stage.alpha;
    await chain.rpc("evm_increaseTime", [31]);
    await chain.rpc("evm_mine");
    const { timestamp } = await chain.client.getBlock();
    await until(async () => chain.head().timestamp === timestamp || undefined, "the mined block", 5_000);
    await runRound();
    await expectRequest(quote, {
      details: "Transaction failed: the permit has expired",
      fail_reason: "SIGNATURE_EXPIRED",
      status: "failure",
    });
    expect(await stage.deposited()).to.equal(0n);
  });

  it("a revoked allowance of Permit2: fails with TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE", async () => {
    const quote = await stage.acceptedQuote();
    const data = approveData(stage.alpha.chain.contracts.permit2, 0n);
    await stage.alpha.send({ data, to: stage.alpha.token("USDT") });
    await runRound();
    await expectRequest(quote, { fail_reason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE", status: "failure" });
  });

  it("two permits for a balance of one: one is mined, the other reverts and fails its request", async () => {
    const quotes = [await stage.acceptedQuote(), await stage.acceptedQuote()];
    await leavePayer(paid + 1n);
    await runRound();
    const requests = await Promise.all(quotes.map((quote) => stage.request(quote)));
    expect(requests.map(({ status }) => status).sort()).to.deep.equal(["depositing", "failure"]);
    const failed = quotes[requests.findIndex(({ status }) => status === "failure")] as Quote;
    const { hash: failed_tx_hash } = await stage.permit(failed);
    await expectRequest(failed, { fail_reason: "GASLESS_PERMIT_BALANCE_TOO_LOW", failed_tx_hash });
    await expectPermit(failed, { state: "reverted" });
  });

  it("a request that another payment reached: its permit is dropped and no deposit made", async () => {
    const quote = await stage.acceptedQuote();
    await store.updateTable("requests").set({ status: "pending" }).execute();
    await runRound();
    await expectPermit(quote, { hash: null, state: "dropped" });
    expect(await stage.deposited()).to.equal(0n);
  });

  /** Turns a due deposit into a sweep, whose gas estimate the node refuses until the returned function is called. */
  async function makeSweep(quote: Quote): Promise<() => void> {
    const { chain } = stage.alpha;
    const word = { amount: "1", currency: stage.alpha.token("USDT"), depositor: payer };
    const { id } = await stage.request(quote);
    await store
      .updateTable("relayed_deposits")
      .set({ kind: "sweep", payload: JSON.stringify({ ...word, salt: id }) })
      .where("request_id", "=", id)
      .execute();
    const { call: run, estimateGas } = chain.client;
    const factory = depositFactoryAddress(stage.context.accounts);
    const refusing: typeof estimateGas = async (call) => {
      if (call.to !== factory) return estimateGas(call);
      throw new Error("insufficient funds for gas * price + value: balance 0");
    };
    // Without a fee, the node runs the call, which succeeds.
    const running: typeof run = async (call) => (call.to === factory ? { data: undefined } : run(call));
    Object.assign(chain.client, { call: running, estimateGas: refusing });
    return () => Object.assign(chain.client, { call: run, estimateGas });
  }

  it("a sweep that waits for gas: is retried later and later up to eight seconds, and handled once there is gas", async () => {
    const quote = await stage.acceptedQuote();
    const repair = await makeSweep(quote);
    const delays = [];
    try {
      for (let attempt = 0; attempt < 6; attempt++) {
        await runRound();
        const delay = Number((await stage.permit(quote)).not_before) - stage.context.now();
        delays.push(delay);
        stage.wait(delay);
      }
      await runRound();
    } finally {
      repair();
    }
    expect(delays).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    stage.wait(7_999);
    await runRound();
    await expectPermit(quote, { attempts: 7, state: "due" });
    stage.wait(1);
    await runRound();
    // The address holds no money: with gas, the sweep's own failure shows.
    await expectPermit(quote, { state: "dropped" });
    await expectRequest(quote, { fail_reason: "TRANSFER_FAILED" });
  });

  /** Stores copies of a waiting sweep, which precede it. */
  async function copySweep(waiting: Quote, count: number): Promise<void> {
    const [request, sweep] = [await stage.request(waiting), await stage.permit(waiting)];
    for (let index = 0; index < count; index++) {
      const id = idOf(100_000 + index);
      const order_id = idOf(200_000 + index);
      await store
        .insertInto("requests")
        .values({ ...request, id, order_id })
        .execute();
      await store
        .insertInto("relayed_deposits")
        .values({ ...sweep, at: 0, request_id: id })
        .execute();
    }
  }

  it("a permit after 70 sweeps that wait for gas: is mined in the next round", async () => {
    const waiting = await stage.acceptedQuote();
    const repair = await makeSweep(waiting);
    try {
      await copySweep(waiting, 70);
      const quote = await stage.acceptedQuote();
      await runRound();
      await expectPermit(quote, { state: "mined" });
      await expectPermit(waiting, { state: "due" });
    } finally {
      repair();
    }
  });
});
