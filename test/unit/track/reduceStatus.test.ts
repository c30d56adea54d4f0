import { expect } from "chai";
import * as fc from "fast-check";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import type { LegacyStatus, Status, StatusV2 } from "../../../src/schema/request/status.ts";
import type { WebhookEvent } from "../../../src/schema/request/statusUpdate.ts";
import type { WebsocketUpdate } from "../../../src/schema/request/websocketMessage.ts";
import {
  isFinalStatus,
  isSettled,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "../../../src/track/reduceStatus.ts";

const fold = (...updates: StatusUpdate[]) =>
  updates.reduce<RequestProgress | undefined>(reduceStatus, undefined);
const at = (status: string, updatedAt: number): StatusUpdate => ({ status, updatedAt });

/** Statuses that the service may show of one request, from the first to the last. */
const runs = fc.constantFrom(
  ["waiting", "pending", "submitted", "success"],
  ["waiting", "depositing", "pending", "submitted", "success"],
  ["waiting", "success"],
  ["waiting", "pending", "refund"],
  ["waiting", "pending", "submitted", "pending", "refund"],
  ["waiting", "pending", "failure", "pending", "refund"],
  ["waiting", "pending", "submitted", "failure", "pending", "refund"],
  ["waiting", "pending", "failure", "pending", "failure"],
  ["waiting", "pending", "failure", "pending", "submitted", "success"],
  ["waiting", "failure"],
);

/** The updates of a run; each holds everything that the service has found by then. */
function updatesOf(run: readonly string[]): StatusUpdate[] {
  return run.map((status, index) => {
    const hasFailed = run.slice(0, index + 1).some((name) => name === "failure" || name === "refund");
    return {
      destinationChainId: 10,
      failReason: hasFailed && status !== "success" ? "SLIPPAGE" : "N/A",
      inTxHashes: status === "waiting" ? [] : ["0x01"],
      originChainId: 1,
      status,
      txHashes: isFinalStatus(status as "success") ? ["0x02"] : [],
      updatedAt: 1_700_000_000_000 + index,
    };
  });
}

/** Progress without the fields that depend on the way to it. */
function stateOf(progress: RequestProgress | undefined) {
  const { failureSeen: _seen, failureSince: _since, ...state } = progress ?? {};
  return state;
}

const anyUpdate = fc.record({
  details: fc.anything(),
  failReason: fc.option(fc.string()),
  inTxHashes: fc.array(fc.string()),
  status: fc.oneof(
    fc.constantFrom(...requestStatuses, "fallback", "received", "delayed", "__proto__"),
    fc.string(),
  ),
  txHashes: fc.array(fc.string()),
  updatedAt: fc.option(fc.integer()),
});

describe("reduceStatus", () => {
  const upwards = ["waiting", "depositing", "pending", "submitted", "failure", "success"];

  it("drops every step back but the one from failure to pending", () => {
    const taken = upwards.flatMap((from, index) =>
      upwards
        .slice(0, index)
        .filter((to) => fold({ status: from }, { status: to })?.status !== from)
        .map((to) => `${from} ${to}`),
    );
    expect(taken).to.deep.equal(["failure pending"]);
  });

  const ends =
    (expected: string | undefined, ...updates: StatusUpdate[]) =>
    () =>
      expect(fold(...updates)?.status).to.equal(expected);
  const named = (...names: string[]) => names.map((status) => ({ status }));
  it("keeps a failure when a pending is older", ends("failure", at("failure", 200), at("pending", 100)));
  it("follows a failure with a pending of its time", ends("pending", at("failure", 9), at("pending", 9)));
  it(
    "compares times under their older name",
    ends("failure", { status: "failure", time: 200 }, { status: "pending", time: 199 }),
  );
  it("reads the oldest name of waiting", ends("waiting", ...named("received")));
  // @spec record-v2/fallback
  it("reads the old status fallback as refund", ends("refund", ...named("pending", "fallback")));
  it("ignores an undocumented first status", ends(undefined, ...named("unknown")));
  it("ignores an undocumented later status", ends("submitted", ...named("submitted", "delayed")));
  it("ignores names of a prototype", ends(undefined, ...named("toString", "constructor", "__proto__")));

  it("carries the reason of a failure through pending into the refund", () => {
    const refunded = fold(
      { status: "pending" },
      { details: "reverted", failReason: "SLIPPAGE", status: "failure" },
      { failReason: "N/A", status: "pending" },
      { failReason: "N/A", status: "refund", txHashes: ["0x02"] },
    );
    const expected = { details: "reverted", failReason: "SLIPPAGE", failureSeen: true, status: "refund" };
    expect(refunded).to.deep.include({ ...expected, txHashes: ["0x02"] });
  });

  it("drops the reason when the fill succeeds after a failure", () => {
    const filled = fold({ details: "x", failReason: "UNKNOWN", status: "failure" }, { status: "success" });
    const expected = { details: undefined, failReason: undefined, failureSeen: true, status: "success" };
    expect(filled).to.include(expected);
  });

  it("reads N/A, null and nothing as no reason", () => {
    for (const failReason of ["N/A", null, undefined, ""]) {
      const failed = fold({ failReason, refundFailReason: failReason, status: "failure" });
      expect(failed).to.include({ failReason: undefined, refundFailReason: undefined });
    }
  });

  it("keeps hashes that a later report leaves out", () => {
    const progress = fold(
      { inTxHashes: ["0x01"], originChainId: 1, status: "pending" },
      { destinationChainId: 10, inTxHashes: [], status: "success", txHashes: ["0x02"] },
    );
    expect(progress).to.deep.include({ inTxHashes: ["0x01"], originChainId: 1, txHashes: ["0x02"] });
  });

  it("returns the very same object when a report brings no news", () => {
    const first = fold({ inTxHashes: ["0x01"], ...at("pending", 1) });
    expect(reduceStatus(first, { inTxHashes: ["0x01"], ...at("pending", 2) })).to.equal(first);
    expect(reduceStatus(first, { status: "waiting" })).to.equal(first);
    expect(reduceStatus(first, { status: "submitted" })).to.not.equal(first);
  });

  it("drops a failure that comes after a success, and one that is older than the refund under way", () => {
    const success = fold({ status: "pending" }, { status: "success" });
    expect(reduceStatus(success, { failReason: "UNKNOWN", status: "failure" })).to.equal(success);
    const refunding = fold(at("failure", 3), at("pending", 4));
    expect(reduceStatus(refunding, at("failure", 3))).to.equal(refunding);
    expect(reduceStatus(refunding, at("submitted", 2))).to.equal(refunding);
    expect(reduceStatus(refunding, at("refund", 2))?.status).to.equal("refund");
  });

  it("accepts the update of every source, as its type has it", () => {
    const data = { requestId: "0x01", status: "success", updatedAt: 1 };
    const polled: Status = { details: null, status: "pending" };
    const second: StatusV2 = { status: "pending", time: 1 };
    const legacy: LegacyStatus = { status: "fallback", time: 1 };
    const streamed: WebsocketUpdate = { details: { revert: "0x" }, ...data };
    const posted: WebhookEvent = { data, event: "request.status.updated", timestamp: 1 };
    const seen = [polled, second, legacy, streamed, posted.data].map((update) => fold(update)?.status);
    expect(seen).to.deep.equal(["pending", "pending", "refund", "success", "success"]);
  });
});

describe("reduceStatus, given updates in any order", () => {
  it("ends in the same state however the updates before the last one were reordered, repeated and lost", () => {
    fc.assert(
      fc.property(runs, fc.array(fc.nat()), (run, picks) => {
        const updates = updatesOf(run);
        const seen = picks.flatMap((pick) => updates[pick % updates.length] ?? []);
        expect(stateOf(fold(...seen, ...updates.slice(-1)))).to.deep.equal(stateOf(fold(...updates)));
      }),
      { numRuns: 2_000 },
    );
  }).timeout(20_000);

  it("ends in the same state when the last one is followed by late ones, where it is final", () => {
    fc.assert(
      fc.property(runs, fc.array(fc.nat()), (run, picks) => {
        const updates = updatesOf(run);
        fc.pre(isFinalStatus(run.at(-1) as "success"));
        const late = picks.flatMap((pick) => updates[pick % updates.length] ?? []);
        expect(stateOf(fold(...updates, ...late))).to.deep.equal(stateOf(fold(...updates)));
      }),
    );
  }).timeout(20_000);

  it("never leaves a final status, never steps back but from failure to pending, and never throws", () => {
    const rank = new Map(
      ["waiting", "depositing", "pending", "submitted", "failure"].map((name, index) => [name, index]),
    );
    fc.assert(
      fc.property(fc.array(anyUpdate), (updates) => {
        let before: RequestProgress | undefined;
        for (const update of updates) {
          const after = reduceStatus(before, update);
          if (before !== undefined && after?.status !== before.status) {
            expect(isFinalStatus(before.status)).to.equal(false);
            const [from, to] = [before.status, after?.status ?? ""];
            if (`${from} ${to}` !== "failure pending") {
              expect(rank.get(to) ?? 5).to.be.greaterThan(rank.get(from) ?? 5);
            }
          }
          before = after;
        }
      }),
      { numRuns: 1_000 },
    );
  }).timeout(20_000);
});

describe("isFinalStatus", () => {
  it("is true for success and refund alone", () => {
    expect(requestStatuses.filter(isFinalStatus)).to.deep.equal(["success", "refund"]);
  });
});

describe("isSettled", () => {
  const progressOf = (...updates: StatusUpdate[]) => fold(...updates) as RequestProgress;
  const received = (status: string, receivedAt: number) => ({ receivedAt, status });

  it("is true at once for success and refund, and never for what is under way", () => {
    for (const status of requestStatuses.filter((name) => name !== "failure")) {
      const now = Number.MAX_SAFE_INTEGER;
      expect(isSettled(progressOf({ status }), { now }), status).to.equal(isFinalStatus(status));
    }
  });

  const failed = progressOf(received("failure", 10_000), {
    ...received("failure", 11_500),
    details: "reverted",
  });
  const again = progressOf(
    received("failure", 10_000),
    received("pending", 20_000),
    received("failure", 30_000),
  );
  for (const [what, progress, times, expected] of [
    ["a millisecond before the grace time ends", failed, { now: 11_999 }, false],
    ["at the end of the grace time, from its first report", failed, { now: 12_000 }, true],
    ["before a longer grace time ends", failed, { failureGrace: 60_000, now: 69_999 }, false],
    ["without a grace time", failed, { failureGrace: 0, now: 10_000 }, true],
    ["dated by the service", progressOf(at("failure", 10_000)), { now: 11_000 }, false],
    ["after an earlier failure, within a grace time of its own", again, { now: 31_000 }, false],
  ] as const) {
    it(`given a failure ${what}, is ${expected}`, () => {
      expect(isSettled(progress, times)).to.equal(expected);
    });
  }
});
