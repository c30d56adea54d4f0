import { expect } from "chai";
import {
  applyTrigger,
  type Change,
  TransitionRefusedError,
} from "../../../../emulator/requests/applyTrigger.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachDialect, openTwice } from "../../../helpers/processes/stores.ts";
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

forEachDialect("applyTrigger", (kind) => {
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
