import { expect } from "chai";
import {
  applyTrigger,
  type Change,
  TransitionRefusedError,
} from "../../../../emulator/requests/applyTrigger.ts";
import {
  nextStatus,
  type PaymentOutcome,
  type Trigger,
  triggerTowards,
} from "../../../../emulator/requests/transitions.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { type RequestStatus, requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { importAnew } from "../../../helpers/importAnew.ts";
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

/** Transitions by trigger and status. */
const table: Readonly<Record<Trigger, Partial<Record<RequestStatus, RequestStatus>>>> = {
  "claim-failed": { pending: "failure", submitted: "failure" },
  "claim-signed": { waiting: "pending" },
  "deposit-accepted": { depositing: "pending", waiting: "pending" },
  "deposit-confirmed": { waiting: "depositing" },
  "deposit-failed": { depositing: "failure" },
  "deposit-refused": { depositing: "pending", waiting: "pending" },
  "deposit-reorged": { pending: "failure", success: "failure" },
  "deposit-returned": { failure: "pending" },
  "failure-shown": { pending: "failure" },
  "fast-fill-begun": { depositing: "pending", waiting: "pending" },
  "fast-fill-released": { pending: "waiting", submitted: "waiting" },
  "fill-failed": { pending: "pending", submitted: "pending" },
  "fill-reorged": { success: "submitted" },
  "fill-submitted": { pending: "submitted" },
  "fill-succeeded": { submitted: "success" },
  "own-failed": { waiting: "failure" },
  "own-reorged": { failure: "waiting", success: "waiting" },
  "own-succeeded": { depositing: "success", waiting: "success" },
  "payment-reorged": { depositing: "waiting" },
  "refund-begun": { failure: "pending" },
  "refund-failed": { pending: "failure" },
  "refund-reorged": { refund: "pending" },
  "refund-succeeded": { pending: "refund" },
};

const triggers = Object.keys(table) as Trigger[];

describe("transitions", () => {
  for (const status of requestStatuses) {
    for (const trigger of triggers) {
      const next = table[trigger][status];
      // @spec state/waiting-to-pending state/pending-to-success state/pending state/submitted
      it(`${next === undefined ? "does not allow" : `goes to ${next} after`} ${trigger} in ${status}`, () => {
        expect(nextStatus(status, trigger)).to.equal(next);
      });
    }
  }

  // @spec state/all
  it("has no status and no trigger beyond this table", async () => {
    const path = "../../../../emulator/requests/transitions.ts";
    const { transitions } = await importAnew<typeof import("../../../../emulator/requests/transitions.ts")>(
      path,
      import.meta.url,
    );
    expect(transitions).to.have.all.keys(...requestStatuses);
    for (const status of requestStatuses) {
      const allowed = triggers.filter((trigger) => table[trigger][status] !== undefined);
      const expected = allowed.map((trigger) => [trigger, table[trigger][status]]);
      expect(transitions[status], status).to.deep.equal(Object.fromEntries(expected));
    }
  });
});

/** The first trigger from each status that a payment can change. */
const ways: Readonly<Record<PaymentOutcome, Partial<Record<RequestStatus, Trigger>>>> = {
  pending: {
    failure: "refund-begun",
    refund: "refund-reorged",
    submitted: "fill-failed",
    success: "fill-reorged",
  },
  refund: {
    failure: "refund-begun",
    pending: "refund-succeeded",
    submitted: "fill-failed",
    success: "fill-reorged",
  },
  submitted: {
    failure: "refund-begun",
    pending: "fill-submitted",
    refund: "refund-reorged",
    success: "fill-reorged",
  },
  success: {
    failure: "refund-begun",
    pending: "fill-submitted",
    refund: "refund-reorged",
    submitted: "fill-succeeded",
  },
};

describe("triggerTowards", () => {
  for (const outcome of Object.keys(ways) as PaymentOutcome[]) {
    for (const status of requestStatuses) {
      const trigger = ways[outcome][status];
      it(`${status} on the way to ${outcome}: ${trigger ?? "no trigger"}`, () => {
        expect(triggerTowards(status, outcome)).to.equal(trigger);
      });
    }
  }

  it("any status with a way: each trigger is allowed, and the last one reaches the outcome", () => {
    for (const outcome of Object.keys(ways) as PaymentOutcome[]) {
      for (const start of Object.keys(ways[outcome]) as RequestStatus[]) {
        let status: RequestStatus | undefined = start;
        for (let steps = 0; status !== undefined && status !== outcome && steps < 4; steps++) {
          const trigger = triggerTowards(status, outcome);
          status = trigger && nextStatus(status, trigger);
        }
        expect(status, `${start} to ${outcome}`).to.equal(outcome);
      }
    }
  });
});

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
