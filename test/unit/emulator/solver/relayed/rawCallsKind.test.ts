import { expect } from "chai";
import { type Hex, type LocalAccount, parseTransaction, toHex } from "viem";
import { acceptRawCalls } from "../../../../../emulator/solver/relayed/acceptRawCalls.ts";
import { advanceRelayed } from "../../../../../emulator/solver/relayed/advanceRelayed.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { callsOf, gaslessBody, signBatch, unfundedUser } from "../../../../helpers/quotes/gasless.ts";
import { solver, transferData } from "../../support/liveChain.ts";
import { readAll } from "../../support/requests.ts";
import { type PermitStage, paid, startPermitStage } from "./support/permitStage.ts";

forEachStore("rawCallsKind", (kind) => {
  let stage: PermitStage;
  let store: Store;
  let firstNonce: number;
  const user: LocalAccount = unfundedUser(401);
  before(async () => {
    ({ store } = await kind.open());
    stage = await startPermitStage(store);
    firstNonce = await nonce();
  });
  after(() => stage?.close());
  beforeEach(async () => {
    await stage.reset();
    await stage.alpha.send({ data: transferData(user.address, 2n * paid), to: stage.alpha.token("USDT") });
  });

  const nonce = () => stage.alpha.chain.client.getTransactionCount({ address: solver });
  const runRound = () => advanceRelayed(stage.alpha.chain, stage.context);
  const held = () => stage.alpha.heldBy(user.address, "USDT");
  const place = () => ({ info: stage.alpha.chain.definition, reader: stage.alpha.chain.client });

  /** A quoted payment of the user, as a body of `POST /execute`. */
  async function payment() {
    const quote = await stage.quote({ usePermit: false, user: user.address });
    const requestId = quote.steps[0]?.requestId as Hex;
    const calls = callsOf(quote);
    return { body: await gaslessBody(user, place(), calls, { requestId }), calls, quote, requestId };
  }
  async function accepted() {
    const made = await payment();
    await acceptRawCalls(made.body, stage.context);
    return made;
  }
  async function row(requestId: Hex) {
    const rows = store.selectFrom("relayed_deposits").selectAll();
    return rows.where("request_id", "=", requestId).executeTakeFirstOrThrow();
  }
  async function request(requestId: Hex) {
    const rows = store.selectFrom("requests").selectAll();
    return rows.where("id", "=", requestId).executeTakeFirstOrThrow();
  }
  /** One round in which the signed transactions are stored and cannot be sent. */
  async function runRoundWithoutSending(): Promise<void> {
    const { client } = stage.alpha.chain;
    const { sendRawTransaction } = client;
    const failing = async () => {
      throw new Error("the node is away");
    };
    Object.assign(client, { sendRawTransaction: failing });
    await runRound();
    Object.assign(client, { sendRawTransaction });
  }

  it("accepted calls: are one transaction of type 4, and their deposit is accepted for the request", async () => {
    const { requestId } = await accepted();
    expect(await request(requestId)).to.include({ features: 32, status: "depositing" });
    await runRound();
    const { raw, state } = await row(requestId);
    expect(state).to.equal("mined");
    expect(parseTransaction(raw as Hex)).to.include({ type: "eip7702" });
    expect(await held()).to.equal(paid);
    await scanChain(stage.alpha.chain, stage.context);
    expect(await request(requestId)).to.include({ fail_reason: null, status: "pending" });
  });

  it("a crash between storing and sending: later rounds send the stored bytes once", async () => {
    const { requestId } = await accepted();
    await runRoundWithoutSending();
    const { hash, raw, state } = await row(requestId);
    expect(state).to.equal("signed");
    expect(await nonce()).to.equal(firstNonce);
    for (let round = 0; round < 3; round++) await runRound();
    expect(await row(requestId)).to.include({ hash, raw, state: "mined" });
    expect(await nonce()).to.equal(firstNonce + 1);
    expect(await held()).to.equal(paid);
  });

  it("the same calls accepted three times and advanced by three rounds at once: are sent once", async () => {
    const { body, requestId } = await payment();
    const ids = await Promise.all([1, 2, 3].map(() => acceptRawCalls(body, stage.context)));
    expect(ids).to.deep.equal([requestId, requestId, requestId]);
    await Promise.all([runRound(), runRound(), runRound()]);
    await runRound();
    expect(await acceptRawCalls(body, stage.context)).to.equal(requestId);
    expect(await readAll(store, "relayed_deposits")).to.have.length(1);
    expect(await nonce()).to.equal(firstNonce + 1);
    expect(await held()).to.equal(paid);
  });

  it("the same calls accepted between another acceptance's first two reads: are accepted once", async () => {
    const { body, requestId } = await payment();
    let isFirst = true;
    const stale = {
      executeTakeFirst: () => acceptRawCalls(body, stage.context).then(() => undefined),
      select: () => stale,
      where: () => stale,
    };
    const racing = new Proxy(store, {
      get: (target, key) => {
        if (key === "selectFrom" && isFirst) {
          isFirst = false;
          return () => stale;
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    expect(await acceptRawCalls(body, { ...stage.context, store: racing })).to.equal(requestId);
    expect(await readAll(store, "relayed_deposits")).to.have.length(1);
    expect(await request(requestId)).to.include({ status: "depositing" });
  });

  it("calls without a request, accepted three times at once: are one request of type Call, which ends in success", async () => {
    const send = { data: transferData(solver, 1n), to: stage.alpha.token("USDT"), value: 0n };
    const body = await gaslessBody(user, place(), [send]);
    const ids = await Promise.all([1, 2, 3].map(() => acceptRawCalls(body, stage.context)));
    expect(new Set(ids).size).to.equal(1);
    await Promise.all([runRound(), runRound()]);
    const requestId = ids[0] as Hex;
    expect(await request(requestId)).to.include({ request_type: "Call", status: "success" });
    expect(await readAll(store, "requests")).to.have.length(1);
    expect(await nonce()).to.equal(firstNonce + 1);
    expect(await held()).to.equal(2n * paid - 1n);
  });

  it("one batch for two requests: pays one, and the other fails with INVALID_NONCE", async () => {
    const [first, second] = [await accepted(), await accepted()];
    await runRound();
    await runRound();
    await scanChain(stage.alpha.chain, stage.context);
    const requests = await Promise.all([first, second].map(({ requestId }) => request(requestId)));
    const statuses = requests.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal(["failure", "pending"]);
    const failed = requests.find(({ status }) => status === "failure");
    expect(failed).to.include({ fail_reason: "INVALID_NONCE" });
    expect(failed?.details).to.match(/^Transaction failed: /);
    expect(await held()).to.equal(paid);
  });

  it("a balance spent after the acceptance: fails the request, and nothing is sent", async () => {
    const { requestId } = await accepted();
    await stage.alpha.chain.rpc("hardhat_impersonateAccount", [user.address]);
    await stage.alpha.chain.rpc("hardhat_setBalance", [user.address, toHex(10n ** 18n)]);
    const away = transferData(solver, 2n * paid);
    // The transfer takes the nonce of the authorization too.
    await stage.alpha.send({ data: away, to: stage.alpha.token("USDT") }, user.address);
    await runRound();
    expect(await row(requestId)).to.include({ hash: null, state: "dropped" });
    const { details, fail_reason, status } = await request(requestId);
    expect({ fail_reason, status }).to.deep.equal({ fail_reason: "INVALID_NONCE", status: "failure" });
    expect(details).to.match(/^Transaction failed: The authorization has nonce 0, .* is 1$/);
    expect(await nonce()).to.equal(firstNonce);
  });

  it("a delegated account whose deposit reverts later: fails the request with the reason", async () => {
    const first = await accepted();
    await runRound();
    const { calls, requestId } = await payment();
    const { authorizationList: _, ...data } = first.body.data;
    const batch = await signBatch(user, stage.alpha.chain.definition.id, calls, { nonce: 1n });
    await acceptRawCalls({ ...first.body, data: { ...data, data: batch }, requestId }, stage.context);
    await runRoundWithoutSending();
    await stage.alpha.chain.rpc("hardhat_impersonateAccount", [user.address]);
    await stage.alpha.chain.rpc("hardhat_setBalance", [user.address, toHex(10n ** 18n)]);
    await stage.alpha.send({ data: transferData(solver, 1n), to: stage.alpha.token("USDT") }, user.address);
    await runRound();
    expect(await row(requestId)).to.include({ state: "reverted" });
    const { details, fail_reason, failed_tx_hash, status } = await request(requestId);
    expect({ fail_reason, status }).to.deep.equal({ fail_reason: "TRANSACTION_REVERTED", status: "failure" });
    expect(details).to.match(/^Transaction failed: CallFailed\(/);
    expect(failed_tx_hash).to.equal((await row(requestId)).hash);
    expect(await held()).to.equal(paid - 1n);
  });

  it("calls for a request that another payment reached: are dropped", async () => {
    const { requestId } = await accepted();
    await store.updateTable("requests").set({ status: "pending" }).execute();
    await runRound();
    expect(await row(requestId)).to.include({ hash: null, state: "dropped" });
    expect(await held()).to.equal(2n * paid);
  });

  it("other calls for the same request: are refused, before and after the first are sent", async () => {
    const { body, requestId } = await accepted();
    const other = { ...body, data: { ...body.data, data: await signBatch(user, 31_397, []) } };
    for (let round = 0; round < 2; round++) {
      const error = await failureOf(acceptRawCalls(other, stage.context));
      expect(String(error)).to.match(/another payment already/);
      await runRound();
    }
    expect(await row(requestId)).to.include({ state: "mined" });
  });
});
