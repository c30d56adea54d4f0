import { expect } from "chai";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import {
  isFinalStatus,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "../../../src/track/reduceStatus.ts";

function fold(...updates: StatusUpdate[]): RequestProgress | undefined {
  return updates.reduce<RequestProgress | undefined>(reduceStatus, undefined);
}

const statuses = (...names: string[]) => fold(...names.map((status) => ({ status })))?.status;

describe("reduceStatus", () => {
  it("never leaves success or refund", () => {
    for (const end of ["success", "refund"]) {
      for (const later of requestStatuses) expect(statuses(end, later), `${end} ${later}`).to.equal(end);
    }
  });

  it("drops every step back but the one from failure to pending", () => {
    const upwards = ["waiting", "depositing", "pending", "submitted", "failure", "success"];
    const taken = upwards.flatMap((from, index) =>
      upwards.slice(0, index).flatMap((to) => (statuses(from, to) === from ? [] : [`${from} ${to}`])),
    );
    expect(taken).to.deep.equal(["failure pending"]);
  });

  it("does not take a pending that is older than the failure for the beginning of a refund", () => {
    const failure = { status: "failure", updatedAt: 200 };
    expect(fold(failure, { status: "pending", updatedAt: 100 })?.status).to.equal("failure");
    expect(fold(failure, { status: "pending", updatedAt: 200 })?.status).to.equal("pending");
    expect(fold({ status: "failure", time: 200 }, { status: "pending", time: 199 })?.status).to.equal(
      "failure",
    );
  });

  it("carries the reason of a failure through pending into the refund", () => {
    const refunded = fold(
      { status: "pending" },
      { details: "reverted", failReason: "SLIPPAGE", status: "failure" },
      { failReason: "N/A", status: "pending" },
      { failReason: "N/A", status: "refund", txHashes: ["0x02"] },
    );
    expect(refunded).to.include({
      details: "reverted",
      failReason: "SLIPPAGE",
      failureSeen: true,
      status: "refund",
    });
    expect(refunded?.txHashes).to.deep.equal(["0x02"]);
  });

  it("forgets the reason when the fill succeeds after all", () => {
    const filled = fold({ details: "x", failReason: "UNKNOWN", status: "failure" }, { status: "success" });
    expect(filled).to.include({
      details: undefined,
      failReason: undefined,
      failureSeen: true,
      status: "success",
    });
  });

  it("reads N/A, null and nothing as no reason", () => {
    for (const failReason of ["N/A", null, undefined, ""]) {
      expect(fold({ failReason, refundFailReason: failReason, status: "failure" })).to.include({
        failReason: undefined,
        refundFailReason: undefined,
      });
    }
  });

  it("keeps hashes that a later report leaves out", () => {
    const progress = fold(
      { inTxHashes: ["0x01"], originChainId: 1, status: "pending" },
      { destinationChainId: 10, inTxHashes: [], status: "success", txHashes: ["0x02"] },
    );
    expect(progress).to.deep.include({ inTxHashes: ["0x01"], originChainId: 1, txHashes: ["0x02"] });
  });

  it("understands the names of the oldest endpoint", () => {
    expect(statuses("received")).to.equal("waiting");
    expect(statuses("pending", "fallback")).to.equal("refund");
  });

  it("ignores a status that is not documented, even the first one", () => {
    expect(statuses("unknown")).to.equal(undefined);
    expect(statuses("submitted", "delayed")).to.equal("submitted");
    expect(statuses("toString", "constructor", "__proto__")).to.equal(undefined);
  });

  it("returns the very same object when a report brings no news", () => {
    const first = fold({ inTxHashes: ["0x01"], status: "pending", updatedAt: 1 });
    expect(reduceStatus(first, { inTxHashes: ["0x01"], status: "pending", updatedAt: 2 })).to.equal(first);
    expect(reduceStatus(first, { status: "waiting" })).to.equal(first);
    expect(reduceStatus(first, { status: "submitted" })).to.not.equal(first);
  });

  it("ends the same whatever the order of its reports, as long as the end is among them", () => {
    for (const order of permutations(["waiting", "pending", "submitted", "success"])) {
      expect(statuses(...order), order.join()).to.equal("success");
    }
  });
});

describe("isFinalStatus", () => {
  it("is true for success and refund alone", () => {
    expect(requestStatuses.filter(isFinalStatus)).to.deep.equal(["success", "refund"]);
  });
});

function permutations(items: readonly string[]): string[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
