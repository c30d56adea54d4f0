import { expect } from "chai";
import {
  applyTrigger,
  type Change,
  TransitionRefusedError,
} from "../../../../emulator/requests/applyTrigger.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore, openTwice } from "../../../helpers/processes/stores.ts";
import {
  addRequest,
  idOf,
  readAll,
  readRequest,
  readTriggers,
  requestId,
  requestRow,
} from "../support/requests.ts";

const apply = (store: Store, change: Change, now = 2_000, id: string = requestId) =>
  store.transaction().execute((transaction) => applyTrigger(transaction, id, change, now));

forEachStore("applyTrigger", (kind) => {
  let store: Store;
  /** The same database, opened by another process where it can be shared. */
  let other: Store;
  before(async () => {
    [{ store }, { store: other }] = await openTwice(kind);
  });
  beforeEach(async () => {
    await resetStore(store);
    await addRequest(store);
  });

  async function expectUnchanged(): Promise<void> {
    expect(await readRequest(store)).to.deep.equal(requestRow());
    expect(await readAll(store, "events")).to.deep.equal([]);
  }

  it("an allowed trigger: moves the request and appends the event", async () => {
    await apply(store, { trigger: "deposit-accepted", txHash: "0x01" });
    expect(await readRequest(store)).to.deep.equal({ ...requestRow(), status: "pending", updated_at: 2_000 });
    const [event, ...more] = await readAll(store, "events");
    expect(more).to.deep.equal([]);
    expect(event).to.deep.equal({
      at: 2_000,
      data: JSON.stringify({ txHash: "0x01" }),
      request_id: requestId,
      seq: event?.seq,
      status: "pending",
      trigger: "deposit-accepted",
    });
  });

  it("reasons of a failure: stay on the request through later triggers, and in the event of their own", async () => {
    const failed = { details: "no()", failReason: "EXECUTION_REVERTED" } as const;
    const unrefunded = { refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" } as const;
    const columns = { details: "no()", fail_reason: "EXECUTION_REVERTED" };
    const changes: readonly (readonly [Change, now: number])[] = [
      [{ trigger: "deposit-accepted" }, 2_000],
      [{ ...failed, trigger: "fill-failed" }, 3_000],
      [{ ...unrefunded, trigger: "refund-failed" }, 4_000],
      [{ trigger: "refund-begun" }, 5_000],
      [{ trigger: "refund-succeeded", txHash: "0x02" }, 5_000],
    ];
    for (const [change, now] of changes.slice(0, 3)) await apply(store, change, now);
    expect(await readRequest(store)).to.include({
      ...columns,
      refund_fail_reason: "AMOUNT_TOO_LOW_TO_REFUND",
      status: "failure",
      updated_at: 4_000,
    });
    for (const [change, now] of changes.slice(3)) await apply(store, change, now);
    expect(await readRequest(store)).to.include({ ...columns, status: "refund" });
    const log = await readAll(store, "events", "seq");
    expect(log.map(({ at, data, status }) => [at, status, JSON.parse(data)])).to.deep.equal([
      [2_000, "pending", {}],
      [3_000, "pending", failed],
      [4_000, "failure", unrefunded],
      [5_000, "pending", {}],
      [5_000, "refund", { txHash: "0x02" }],
    ]);
    expect(await readTriggers(store)).to.deep.equal(changes.map(([{ trigger }]) => trigger));
  });

  it("events of several requests: are numbered in the order of their triggers", async () => {
    await addRequest(store, { id: idOf(2), order_id: idOf(2) });
    await apply(store, { trigger: "deposit-accepted" });
    await apply(store, { trigger: "deposit-refused" }, 1_500, idOf(2));
    await apply(store, { trigger: "fill-submitted" });
    const log = await readAll(store, "events", "seq");
    expect(log.map(({ request_id }) => request_id)).to.deep.equal([requestId, idOf(2), requestId]);
    const first = log[0]?.seq ?? 0;
    expect(log.map(({ seq }) => seq - first)).to.deep.equal([0, 1, 2]);
  });

  it("a trigger that the status does not allow: rejects it and names it, the request and the status", async () => {
    const error = await failureOf(apply(store, { failReason: "UNKNOWN", trigger: "fill-succeeded" }));
    expect(error).to.be.instanceOf(TransitionRefusedError);
    expect(String(error)).to.include("fill-succeeded").and.include(requestId).and.include("waiting");
    await expectUnchanged();
  });

  it("a transaction in which a trigger is rejected: keeps none of the caller's rows", async () => {
    const twice = store.transaction().execute(async (transaction) => {
      await transaction.insertInto("cursors").values({ chain_id: 31337, next_block: 9 }).execute();
      await applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 2_000);
      await applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 3_000);
    });
    expect(await failureOf(twice)).to.be.instanceOf(TransitionRefusedError);
    await expectUnchanged();
    expect(await readAll(store, "cursors")).to.deep.equal([]);
  });

  it("a request with success: rejects every trigger but a reorg", async () => {
    await store.updateTable("requests").set({ status: "success" }).execute();
    for (const trigger of ["deposit-accepted", "fill-failed", "refund-succeeded", "refund-failed"] as const) {
      expect(await failureOf(apply(store, { trigger })), trigger).to.be.instanceOf(TransitionRefusedError);
    }
    expect(await readAll(store, "events")).to.deep.equal([]);
  });

  it("an unknown request: throws another error than for a refused trigger", async () => {
    const error = await failureOf(apply(store, { trigger: "deposit-accepted" }, 2_000, "0x99"));
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(TransitionRefusedError);
    expect(await readAll(store, "events")).to.deep.equal([]);
  });

  it("twenty times the same trigger at once, from two processes: moves the request once", async () => {
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        failureOf(apply(index % 2 === 0 ? store : other, { trigger: "deposit-accepted" })),
      ),
    );
    const refused = attempts.filter((error) => error !== undefined);
    expect(refused).to.have.length(19);
    for (const error of refused) expect(error).to.be.instanceOf(TransitionRefusedError);
    expect(await readTriggers(store)).to.deep.equal(["deposit-accepted"]);
  });

  it("transactions of two processes that move two requests in opposite orders: all end", async () => {
    const ids = [requestId, idOf(2)] as const;
    await addRequest(store, { id: ids[1], order_id: idOf(2) });
    await store.updateTable("requests").set({ status: "pending" }).execute();
    const move = (store: Store, order: readonly string[]) =>
      store.transaction().execute(async (transaction) => {
        for (const id of order) {
          await applyTrigger(transaction, id, { trigger: "fill-failed" }, 1);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? move(store, ids) : move(other, ids.toReversed()),
      ),
    );
    expect(await readTriggers(store)).to.deep.equal(Array.from({ length: 40 }, () => "fill-failed"));
  });
});
