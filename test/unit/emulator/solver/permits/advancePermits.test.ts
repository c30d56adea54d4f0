import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex, parseTransaction } from "viem";
import { advancePermits } from "../../../../../emulator/solver/permits/advancePermits.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { payer, solver } from "../../support/liveChain.ts";
import { transactionRow } from "../../support/requests.ts";
import { approveData, type PermitStage, paid, startPermitStage } from "./support/permitStage.ts";

const thief = "0x000000000000000000000000000000000000dEaD";

forEachStore("deposits that users signed", (kind) => {
  let stage: PermitStage;
  before(async () => {
    stage = await startPermitStage(async () => (await kind.open()).store);
  });
  after(() => stage?.close());
  beforeEach(() => stage.reset());

  const nonce = () => stage.alpha.chain.client.getTransactionCount({ address: solver });
  const runSolverRound = () => advancePermits(stage.alpha.chain, stage.context);
  const scan = () => scanChain(stage.alpha.chain, stage.context);
  /** Has the node refuse what the solver sends, as long as the returned function is not called. */
  function cutOff(): () => void {
    const { client } = stage.alpha.chain;
    const { sendRawTransaction } = client;
    const refused = async () => {
      throw new Error("nobody there");
    };
    Object.assign(client, { sendRawTransaction: refused });
    return () => Object.assign(client, { sendRawTransaction });
  }
  async function transferAway(amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: erc20Abi, args: [thief, amount], functionName: "transfer" });
    await stage.alpha.send({ data, to: stage.alpha.token("USDT") });
  }
  async function heldUsdt(): Promise<bigint> {
    return stage.alpha.chain.client.readContract({
      abi: erc20Abi,
      address: stage.alpha.token("USDT"),
      args: [payer],
      functionName: "balanceOf",
    });
  }

  it("go from the user's account to the depository, by the service's own transaction", async () => {
    const quote = await stage.quote();
    const before = await heldUsdt();
    await stage.accept(quote);
    expect(await stage.request(quote)).to.include({ status: "depositing" });
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ chain_id: 31_397, state: "mined", way: "permit2" });
    expect(before - (await heldUsdt())).to.equal(paid);
    expect((await stage.deposited()).toString()).to.equal(
      quote.details?.route?.origin?.outputCurrency?.amount,
    );
    await scan();
    expect(await stage.request(quote)).to.include({ fail_reason: null, status: "pending" });
    const [deposit] = await stage.store.selectFrom("deposits").selectAll().execute();
    expect(deposit).to.include({
      depositor: payer.toLowerCase(),
      outcome: "accepted",
      tx_hash: (await stage.permit(quote)).hash,
    });
  });

  it("are stored before they are sent, and sent once after a crash in between", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const before = await nonce();
    const connect = cutOff();
    await runSolverRound();
    const stored = await stage.permit(quote);
    expect(stored).to.include({ nonce: before, state: "signed" });
    expect(await nonce()).to.equal(before);
    connect();
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ hash: stored.hash, raw: stored.raw, state: "mined" });
    await runSolverRound();
    await runSolverRound();
    expect(await nonce()).to.equal(before + 1);
    expect(await stage.store.selectFrom("permits").selectAll().execute()).to.have.length(1);
  });

  it("are sent once after a crash between sending them and writing that down", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const before = await nonce();
    await runSolverRound();
    const { hash } = await stage.permit(quote);
    const forgotten = {
      block_hash: null,
      block_number: null,
      fee: null,
      gas_used: null,
      state: "signed",
    } as const;
    await stage.store.updateTable("permits").set(forgotten).execute();
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ hash, state: "mined" });
    expect(await nonce()).to.equal(before + 1);
  });

  it("have nonces behind those of the solver's fills, and those behind theirs", async () => {
    const first = await stage.quote();
    await stage.accept(first);
    await runSolverRound();
    await scan();
    const { nonce: used } = await stage.permit(first);
    const [deposit] = await stage.store.selectFrom("deposits").selectAll().execute();
    const next = Number(used) + 1;
    await stage.store
      .insertInto("transactions")
      .values(
        transactionRow({
          chain_id: stage.alpha.chain.definition.id,
          deposit_id: deposit?.id ?? "",
          nonce: next,
          request_id: (await stage.request(first)).id,
        }),
      )
      .execute();
    const second = await stage.quote();
    await stage.accept(second);
    const connect = cutOff();
    await runSolverRound();
    connect();
    expect(await stage.permit(second)).to.include({ nonce: next + 1 });
  });

  it("are sent in the order of their nonces", async () => {
    const [first, second] = [await stage.quote(), await stage.quote()];
    await stage.accept(first);
    await stage.accept(second);
    const before = await nonce();
    const connect = cutOff();
    await runSolverRound();
    const nonces = await stage.store.selectFrom("permits").select("nonce").orderBy("nonce").execute();
    expect(nonces.map((row) => row.nonce)).to.deep.equal([before, before + 1]);
    connect();
    await runSolverRound();
    expect(await stage.permit(first)).to.include({ state: "mined" });
    expect(await stage.permit(second)).to.include({ state: "mined" });
  });

  it("are made once by two that work on the same database", async () => {
    const quotes = [await stage.quote(), await stage.quote(), await stage.quote()];
    for (const quote of quotes) await stage.accept(quote);
    const before = await nonce();
    await Promise.all([runSolverRound(), runSolverRound(), runSolverRound()]);
    await runSolverRound();
    for (const quote of quotes) expect(await stage.permit(quote)).to.include({ state: "mined" });
    expect(await nonce()).to.equal(before + quotes.length);
    await scan();
    const deposits = await stage.store.selectFrom("deposits").select(["outcome", "request_id"]).execute();
    expect(deposits.map(({ outcome }) => outcome)).to.deep.equal(quotes.map(() => "accepted"));
    expect(new Set(deposits.map(({ request_id }) => request_id)).size).to.equal(quotes.length);
  });

  it("fail with GASLESS_PERMIT_BALANCE_TOO_LOW by one unit, and nothing is sent", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    await transferAway((await heldUsdt()) - paid + 1n);
    const before = await nonce();
    await runSolverRound();
    expect(await stage.request(quote)).to.include({
      details: `Transaction failed: the user holds ${paid - 1n} of ${paid}`,
      fail_reason: "GASLESS_PERMIT_BALANCE_TOO_LOW",
      status: "failure",
    });
    expect(await stage.permit(quote)).to.include({ hash: null, state: "dropped" });
    expect(await nonce()).to.equal(before);
    expect(await stage.deposited()).to.equal(0n);
  });

  it("are made with exactly what the user has", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    await transferAway((await heldUsdt()) - paid);
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ state: "mined" });
    expect(await heldUsdt()).to.equal(0n);
  });

  it("fail with SIGNATURE_EXPIRED when their time is over before they are sent", async () => {
    const quote = await stage.quote({ permitExpiry: 30 });
    await stage.accept(quote);
    await stage.alpha.chain.rpc("evm_increaseTime", [31]);
    await stage.alpha.chain.rpc("evm_mine");
    await runSolverRound();
    expect(await stage.request(quote)).to.include({
      details: "Transaction failed: the permit has expired",
      fail_reason: "SIGNATURE_EXPIRED",
      status: "failure",
    });
    expect(await stage.deposited()).to.equal(0n);
  });

  it("fail when Permit2's allowance was taken back", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const { permit2 } = stage.alpha.chain.contracts;
    await stage.alpha.send({ data: approveData(permit2, 0n), to: stage.alpha.token("USDT") });
    await runSolverRound();
    expect(await stage.request(quote)).to.include({
      fail_reason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
      status: "failure",
    });
  });

  it("of two that the same money is for, one is made and one fails", async () => {
    const [first, second] = [await stage.quote(), await stage.quote()];
    await stage.accept(first);
    await stage.accept(second);
    await transferAway((await heldUsdt()) - paid - 1n);
    await runSolverRound();
    const statuses = [(await stage.request(first)).status, (await stage.request(second)).status];
    expect(statuses.sort()).to.deep.equal(["depositing", "failure"]);
    const failed = (await stage.request(first)).status === "failure" ? first : second;
    expect(await stage.request(failed)).to.include({
      fail_reason: "GASLESS_PERMIT_BALANCE_TOO_LOW",
      failed_tx_hash: (await stage.permit(failed)).hash,
    });
    expect(await stage.permit(failed)).to.include({ state: "reverted" });
  });

  it("are not made when the request was paid in another way meanwhile", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    await stage.store.updateTable("requests").set({ status: "pending" }).execute();
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ hash: null, state: "dropped" });
    expect(await stage.deposited()).to.equal(0n);
  });

  it("wait for a node that is away, and are made when it is back", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const { client } = stage.alpha.chain;
    const { estimateGas } = client;
    Object.assign(client, {
      estimateGas: async () => {
        throw new Error("the line is dead");
      },
    });
    await runSolverRound();
    expect(stage.logged).to.deep.equal(["preparing a permit failed"]);
    expect(await stage.permit(quote)).to.include({ state: "due" });
    expect(await stage.request(quote)).to.include({ status: "depositing" });
    Object.assign(client, { estimateGas });
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ state: "mined" });
  });

  it("are refused by the database a second time for a request", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const row = await stage.permit(quote);
    const error = await failureOf(stage.store.insertInto("permits").values(row).execute());
    expect(String(error)).to.match(/unique.*permits/is);
  });

  it("can be brought by the service alone", async () => {
    const quote = await stage.quote();
    await stage.accept(quote);
    const connect = cutOff();
    await runSolverRound();
    const { raw } = await stage.permit(quote);
    const { data = "0x", to } = parseTransaction(raw as Hex);
    if (!to) throw new Error("the deposit goes nowhere");
    const stolen = await failureOf(stage.alpha.chain.client.call({ account: thief, data, to }));
    expect(String(stolen)).to.match(/revert/i);
    connect();
    await runSolverRound();
    expect(await stage.permit(quote)).to.include({ state: "mined" });
  });
});
