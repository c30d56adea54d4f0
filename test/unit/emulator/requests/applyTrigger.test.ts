import { expect } from "chai";
import {
  applyTrigger,
  type Change,
  TransitionRefusedError,
} from "../../../../emulator/requests/applyTrigger.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { emptyStore, requestId, requestRow } from "../support/requests.ts";

describe("applyTrigger", () => {
  let store: Store;

  beforeEach(async () => {
    store = await emptyStore();
    await store.insertInto("requests").values(requestRow()).execute();
  });

  afterEach(() => store.destroy());

  const apply = (change: Change, now: number) =>
    store.transaction().execute((transaction) => applyTrigger(transaction, requestId, change, now));
  const request = () => store.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
  const events = () => store.selectFrom("events").selectAll().orderBy("seq").execute();
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  it("moves the request and writes what happened", async () => {
    await apply({ trigger: "deposit-accepted", txHash: "0x01" }, 2_000);
    expect(await request()).to.deep.equal({ ...requestRow(), status: "pending", updated_at: 2_000 });
    const [event, ...more] = await events();
    expect(more).to.deep.equal([]);
    expect(event).to.include({
      at: 2_000,
      request_id: requestId,
      status: "pending",
      trigger: "deposit-accepted",
    });
    expect(JSON.parse(event?.data ?? "")).to.deep.equal({ txHash: "0x01" });
  });

  it("keeps the reasons on the request and in the event, and does not forget them later", async () => {
    await apply({ trigger: "deposit-accepted" }, 2_000);
    await apply({ details: "no()", failReason: "EXECUTION_REVERTED", trigger: "fill-failed" }, 3_000);
    await apply({ refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND", trigger: "refund-failed" }, 4_000);
    expect(await request()).to.include({
      details: "no()",
      fail_reason: "EXECUTION_REVERTED",
      refund_fail_reason: "AMOUNT_TOO_LOW_TO_REFUND",
      status: "failure",
      updated_at: 4_000,
    });
    await apply({ trigger: "refund-begun" }, 5_000);
    await apply({ trigger: "refund-succeeded", txHash: "0x02" }, 5_000);
    expect(await request()).to.include({
      details: "no()",
      fail_reason: "EXECUTION_REVERTED",
      status: "refund",
    });
    const log = await events();
    expect(log.map(({ at, status, trigger }) => [at, trigger, status])).to.deep.equal([
      [2_000, "deposit-accepted", "pending"],
      [3_000, "fill-failed", "pending"],
      [4_000, "refund-failed", "failure"],
      [5_000, "refund-begun", "pending"],
      [5_000, "refund-succeeded", "refund"],
    ]);
    expect(log.map(({ data }) => JSON.parse(data))).to.deep.equal([
      {},
      { details: "no()", failReason: "EXECUTION_REVERTED" },
      { refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" },
      {},
      { txHash: "0x02" },
    ]);
  });

  it("numbers the events of all requests in the order they happened", async () => {
    const second = `0x${"c3".repeat(32)}`;
    await store
      .insertInto("requests")
      .values(requestRow({ id: second, order_id: "0x02" }))
      .execute();
    await apply({ trigger: "deposit-accepted" }, 2_000);
    await store
      .transaction()
      .execute((transaction) => applyTrigger(transaction, second, { trigger: "deposit-refused" }, 1_500));
    await apply({ trigger: "fill-submitted" }, 2_000);
    const log = await events();
    expect(log.map(({ request_id }) => request_id)).to.deep.equal([requestId, second, requestId]);
    expect(log.map(({ seq }) => seq)).to.deep.equal([1, 2, 3]);
  });

  it("refuses a trigger that the status does not allow, and leaves nothing behind", async () => {
    const error = await failureOf(apply({ failReason: "UNKNOWN", trigger: "fill-succeeded" }, 2_000));
    expect(error).to.be.instanceOf(TransitionRefusedError);
    expect(String(error)).to.include("fill-succeeded").and.include(requestId).and.include("waiting");
    expect(await request()).to.deep.equal(requestRow());
    expect(await events()).to.deep.equal([]);
  });

  it("takes back what the caller wrote in the same transaction when it refuses", async () => {
    const error = await failureOf(
      store.transaction().execute(async (transaction) => {
        await transaction.insertInto("cursors").values({ chain_id: 31337, next_block: 9 }).execute();
        await applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 2_000);
        await applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 3_000);
      }),
    );
    expect(error).to.be.instanceOf(TransitionRefusedError);
    expect(await request()).to.deep.equal(requestRow());
    expect(await events()).to.deep.equal([]);
    expect(await store.selectFrom("cursors").selectAll().execute()).to.deep.equal([]);
  });

  it("takes its own change back when the caller fails afterwards", async () => {
    const error = await failureOf(
      store.transaction().execute(async (transaction) => {
        await applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 2_000);
        throw new Error("the caller's own");
      }),
    );
    expect(String(error)).to.include("the caller's own");
    expect(await request()).to.deep.equal(requestRow());
    expect(await events()).to.deep.equal([]);
  });

  it("refuses everything once a request is done", async () => {
    await store.updateTable("requests").set({ status: "success" }).execute();
    for (const trigger of ["deposit-accepted", "fill-failed", "refund-succeeded", "refund-failed"] as const) {
      expect(await failureOf(apply({ trigger }, 2_000)), trigger).to.be.instanceOf(TransitionRefusedError);
    }
    expect(await events()).to.deep.equal([]);
  });

  it("fails for a request that is not there", async () => {
    const error = await failureOf(
      store
        .transaction()
        .execute((transaction) => applyTrigger(transaction, "0x99", { trigger: "deposit-accepted" }, 2_000)),
    );
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(TransitionRefusedError);
    expect(await events()).to.deep.equal([]);
  });
});
