import { expect } from "chai";
import fc from "fast-check";
import {
  nextStatus,
  type PaymentOutcome,
  type Trigger,
  transitions,
  triggerTowards,
} from "../../../../emulator/requests/transitions.ts";
import { type RequestStatus, requestStatuses } from "../../../../src/schema/request/requestStatus.ts";

/** Every trigger, with what it does to each status that allows it. */
const table: Readonly<Record<Trigger, Partial<Record<RequestStatus, RequestStatus>>>> = {
  "deposit-accepted": { depositing: "pending", waiting: "pending" },
  "deposit-confirmed": { waiting: "depositing" },
  "deposit-failed": { depositing: "failure" },
  "deposit-refused": { depositing: "pending", waiting: "pending" },
  "deposit-reorged": { pending: "failure", success: "failure" },
  "deposit-returned": { failure: "pending" },
  "failure-shown": { pending: "failure" },
  "fill-failed": { pending: "pending", submitted: "pending" },
  "fill-reorged": { success: "submitted" },
  "fill-submitted": { pending: "submitted" },
  "fill-succeeded": { submitted: "success" },
  "own-failed": { waiting: "failure" },
  "own-reorged": { failure: "waiting", success: "waiting" },
  "own-succeeded": { depositing: "success", waiting: "success" },
  "refund-begun": { failure: "pending" },
  "refund-failed": { pending: "failure" },
  "refund-reorged": { refund: "pending" },
  "refund-succeeded": { pending: "refund" },
};
const triggers = Object.keys(table) as Trigger[];
/** What can happen as long as the chains keep the blocks that ended requests. */
const lasting = triggers.filter((each) => !/^(?:fill|own|refund)-reorged$/.test(each));

/** The statuses on the way of a request that waits and to which `happened` is tried in turn. */
function walk(
  happened: readonly Trigger[],
  canHappen: (trigger: Trigger, status: RequestStatus) => boolean = () => true,
): RequestStatus[] {
  const way: RequestStatus[] = ["waiting"];
  for (const trigger of happened) {
    const status = way.at(-1) ?? "waiting";
    const next = canHappen(trigger, status) ? nextStatus(status, trigger) : undefined;
    if (next !== undefined) way.push(next);
  }
  return way;
}

/** The same while the chain keeps the deposits of filled requests. */
function walkLasting(happened: readonly Trigger[]): RequestStatus[] {
  return walk(happened, (trigger, status) => trigger !== "deposit-reorged" || status !== "success");
}

describe("the lifecycle of a request", () => {
  for (const status of requestStatuses) {
    for (const trigger of triggers) {
      const next = table[trigger][status];
      it(`${next === undefined ? "does not allow" : `goes to ${next} after`} ${trigger} in ${status}`, () => {
        expect(nextStatus(status, trigger)).to.equal(next);
      });
    }
  }

  it("has nothing that the table here does not", () => {
    expect(Object.keys(transitions)).to.have.members([...requestStatuses]);
    for (const allowed of Object.values(transitions))
      expect(triggers).to.include.members(Object.keys(allowed));
  });

  it("ends with success and with refund, whatever happens afterwards but a reorganisation", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lasting), { maxLength: 30 }), (happened) => {
        const way = walkLasting(happened);
        const end = way.findIndex((status) => status === "success" || status === "refund");
        if (end !== -1) expect(way).to.have.length(end + 1);
      }),
      { numRuns: 300 },
    );
  });

  it("succeeds only by a deposit and a fill or by the user's own transaction, and refunds only after a deposit", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lasting), { maxLength: 30 }), (happened) => {
        const way = walkLasting(happened);
        // One transaction that does everything ends it at once.
        if (way.at(-1) === "success" && !way.includes("pending")) {
          expect(way.filter((status) => status !== "depositing")).to.deep.equal(["waiting", "success"]);
          return;
        }
        if (way[1] === "failure") return;
        if (way.at(-1) === "success")
          expect(way.slice(-3)).to.deep.equal(["pending", "submitted", "success"]);
        const begun = way.slice(1).find((status) => status !== "depositing");
        // What could not be deposited did not begin.
        if (begun === "failure") {
          expect(way.slice(0, 3)).to.deep.equal(["waiting", "depositing", "failure"]);
          return;
        }
        expect(begun ?? "pending").to.equal("pending");
        expect(way.filter((status) => status === "success" || status === "refund")).to.have.length.below(2);
      }),
      { numRuns: 300 },
    );
  });

  it("goes back to what it was before a block that vanished, and never to another end without a new block", () => {
    const filled = ["deposit-accepted", "fill-submitted", "fill-succeeded", "fill-reorged"] as const;
    expect(walk(filled).at(-1)).to.equal("submitted");
    expect(walk([...filled, "refund-succeeded"]).at(-1)).to.equal("submitted");
    expect(walk(["deposit-refused", "refund-succeeded", "refund-reorged"]).at(-1)).to.equal("pending");
    expect(walk([...filled.slice(0, 3), "deposit-reorged"] as Trigger[]).at(-1)).to.equal("failure");
    expect(walk([...filled.slice(0, 3), "deposit-reorged", "deposit-returned"] as Trigger[]).at(-1)).to.equal(
      "pending",
    );
    for (const own of ["own-succeeded", "own-failed"] as const) {
      expect(walk([own, "own-reorged"]).at(-1)).to.equal("waiting");
    }
  });

  it("gives money back from any status in which it holds some", () => {
    expect(walk(["deposit-accepted", "fill-submitted", "fill-failed", "refund-succeeded"]).at(-1)).to.equal(
      "refund",
    );
    expect(walk(["deposit-refused", "refund-failed", "refund-begun", "refund-succeeded"]).at(-1)).to.equal(
      "refund",
    );
    expect(walk(["deposit-accepted", "fill-submitted", "refund-succeeded"]).at(-1)).to.equal("submitted");
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
