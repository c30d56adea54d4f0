import { expect } from "chai";
import * as fc from "fast-check";
import type { LegacyStatus, StatusV2 } from "../../../src/schema/request/legacyStatus.ts";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import type { Status } from "../../../src/schema/request/status.ts";
import type { WebhookEvent } from "../../../src/schema/request/statusUpdate.ts";
import type { WebsocketUpdate } from "../../../src/schema/request/websocketMessage.ts";
import {
  isFinalStatus,
  isSettled,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "../../../src/track/reduceStatus.ts";

/** What the service may show of one request, from the first status to the last. */
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

/** Each update says all that is known by then, as the service's do. */
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

const fold = (updates: readonly StatusUpdate[]) =>
  updates.reduce<RequestProgress | undefined>(reduceStatus, undefined);

/** Without what tells how it came there. */
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

describe("reduceStatus, given updates in any order", () => {
  it("ends in the same state however the updates before the last one were reordered, repeated and lost", () => {
    fc.assert(
      fc.property(runs, fc.array(fc.nat()), (run, picks) => {
        const updates = updatesOf(run);
        const seen = picks.flatMap((pick) => updates[pick % updates.length] ?? []);
        expect(stateOf(fold([...seen, ...updates.slice(-1)]))).to.deep.equal(stateOf(fold(updates)));
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
        expect(stateOf(fold([...updates, ...late]))).to.deep.equal(stateOf(fold(updates)));
      }),
    );
  }).timeout(20_000);

  it("never leaves a final status, never steps back but from failure to pending, and never throws", () => {
    const rank = new Map<string, number>(
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

  it("drops a failure that comes after a success, and one that is older than the refund under way", () => {
    const success = fold([{ status: "pending" }, { status: "success" }]);
    expect(reduceStatus(success, { failReason: "UNKNOWN", status: "failure" })).to.equal(success);
    const refunding = fold([
      { status: "failure", updatedAt: 3 },
      { status: "pending", updatedAt: 4 },
    ]);
    expect(reduceStatus(refunding, { status: "failure", updatedAt: 3 })).to.equal(refunding);
    expect(reduceStatus(refunding, { status: "submitted", updatedAt: 2 })).to.equal(refunding);
    expect(reduceStatus(refunding, { status: "refund", updatedAt: 2 })?.status).to.equal("refund");
  });

  it("takes what every source says, as its type has it", () => {
    const data = { requestId: "0x01", status: "success", updatedAt: 1 };
    const polled: Status = { details: null, status: "pending" };
    const second: StatusV2 = { status: "pending", time: 1 };
    const legacy: LegacyStatus = { status: "fallback", time: 1 };
    const streamed: WebsocketUpdate = { details: { revert: "0x" }, ...data };
    const posted: WebhookEvent = { data, event: "request.status.updated", timestamp: 1 };
    const seen = [polled, second, legacy, streamed, posted.data].map((update) =>
      reduceStatus(undefined, update),
    );
    expect(seen.map((progress) => progress?.status)).to.deep.equal([
      "pending",
      "pending",
      "refund",
      "success",
      "success",
    ]);
  });
});

describe("isSettled", () => {
  const at = (...updates: StatusUpdate[]) => fold(updates) as RequestProgress;

  it("is true at once for success and refund, and never for what is under way", () => {
    for (const status of requestStatuses.filter((name) => name !== "failure")) {
      const now = Number.MAX_SAFE_INTEGER;
      expect(isSettled(at({ status }), { now }), status).to.equal(isFinalStatus(status));
    }
  });

  it("is true for a failure only when it stood for the grace time, from when it was heard of first", () => {
    const failed = at({ receivedAt: 10_000, status: "failure" }, { receivedAt: 11_500, status: "failure" });
    expect(isSettled(failed, { now: 11_999 })).to.equal(false);
    expect(isSettled(failed, { now: 12_000 })).to.equal(true);
    expect(isSettled(failed, { failureGrace: 60_000, now: 69_999 })).to.equal(false);
    expect(isSettled(failed, { failureGrace: 0, now: 10_000 })).to.equal(true);
    expect(isSettled(at({ status: "failure", updatedAt: 10_000 }), { now: 11_000 })).to.equal(false);
    // The next failure has a grace time of its own.
    const again = at(
      { receivedAt: 10_000, status: "failure" },
      { receivedAt: 20_000, status: "pending" },
      { receivedAt: 30_000, status: "failure" },
    );
    expect(isSettled(again, { now: 31_000 })).to.equal(false);
  });
});
