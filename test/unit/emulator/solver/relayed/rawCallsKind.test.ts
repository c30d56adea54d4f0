import { expect } from "chai";
import type { Hex, LocalAccount } from "viem";
import { acceptRawCalls } from "../../../../../emulator/solver/relayed/acceptRawCalls.ts";
import { advanceRelayed } from "../../../../../emulator/solver/relayed/advanceRelayed.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../../helpers/processes/stores.ts";
import { callsOf, gaslessBody, unfundedUser } from "../../../../helpers/quotes/gasless.ts";
import { solver, transferData } from "../../support/liveChain.ts";
import { readAll } from "../../support/requests.ts";
import { type PermitStage, paid, startPermitStage } from "./support/permitStage.ts";

forEachDialect("rawCallsKind", (kind) => {
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
});
