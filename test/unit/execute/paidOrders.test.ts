import { expect } from "chai";
import { assertUnpaid, notePayment } from "../../../src/execute/paidOrders.ts";
import type { ItemPhase, Run } from "../../../src/execute/Run.ts";
import { requestId } from "../client/support/samples.ts";

/** A run of an order until `deadline`, seen at `now`. */
const runOf = (id: string, deadline: number, now: number) =>
  ({
    client: { now: () => now },
    isResumed: false,
    order: { deadline, id },
    state: { requestId },
  }) as unknown as Run;

const note = (run: Run, phase: ItemPhase = "sending") =>
  notePayment(run, {
    itemIndex: 0,
    phase,
    step: {
      id: "deposit",
      items: [{ data: { data: "0x12" }, status: "incomplete" }],
      kind: "transaction",
    } as never,
  });

describe("an order that is being paid", () => {
  it("is refused until its deadline, and forgotten by the first payment after it", () => {
    note(runOf("0xaa", 1_000, 10));
    note(runOf("0xbb", 9_000, 999));
    expect(() => assertUnpaid(runOf("0xaa", 1_000, 999))).to.throw("an unpaid order");
    note(runOf("0xcc", 9_000, 1_000));
    expect(() => assertUnpaid(runOf("0xaa", 1_000, 1_000))).not.to.throw();
    expect(() => assertUnpaid(runOf("0xbb", 9_000, 1_000))).to.throw("an unpaid order");
  });

  it("may be paid again once the wallet certainly sent nothing", () => {
    const run = runOf("0xdd", 9_000, 10);
    note(run);
    note(run, "notDone");
    expect(() => assertUnpaid(run)).not.to.throw();
  });
});
