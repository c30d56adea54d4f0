import { expect } from "chai";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import type { RequestProgress } from "../../../src/track/reduceStatus.ts";
import { type WaitForRequestParameters, waitForRequest } from "../../../src/track/waitForRequest.ts";
import { type Answer, fakeService, json, rejectionOf, silence } from "../client/support/fakeService.ts";
import { requestId, statusAnswer } from "../client/support/samples.ts";

const status = (name: string, more: Record<string, unknown> = {}): Answer => json(statusAnswer(name, more));

/** Waits for a request of a service that gives `answers`, and keeps the reported statuses. */
function wait(answers: readonly Answer[], parameters: Partial<WaitForRequestParameters> = {}) {
  const { calls, client, sleeps } = fakeService(answers);
  const seen: string[] = [];
  const onStatus = async ({ status: name }: RequestProgress) => {
    await Promise.resolve();
    seen.push(name);
  };
  return { calls, seen, sleeps, work: waitForRequest(client, { onStatus, requestId, ...parameters }) };
}

const crash = () => {
  throw new Error("disk full");
};
const isRefunded = (progress: { status: string }) => progress.status === "refund";

describe("waitForRequest", () => {
  it("gives up on a service that never answers, after the time it was given", async () => {
    const { client } = fakeService([silence], { now: Date.now });
    const started = Date.now();
    const error = await rejectionOf(waitForRequest(client, { requestId, timeout: 40 }));
    expect(error).to.include({ code: "TIMEOUT", lastStatus: undefined, requestId, timeoutMs: 40 });
    expect(Date.now() - started).to.be.lessThan(2_000);
  });

  it("fails with the refund when a refund follows a failure", async () => {
    const failReason = "EXECUTION_REVERTED";
    const hashes = { inTxHashes: ["0x01"], txHashes: ["0x02"] };
    const { seen, work } = wait([
      status("pending"),
      status("failure", { failReason }),
      status("pending"),
      status("pending"),
      status("refund", { failReason, ...hashes }),
    ]);
    const error = await rejectionOf(work);
    expect(error).to.be.instanceOf(RequestFailedError);
    const expected = { code: "REQUEST_REFUNDED", failReason, requestId, status: "refund", ...hashes };
    expect(error).to.deep.include(expected);
    expect(seen).to.deep.equal(["pending", "failure", "pending", "refund"]);
  });

  const failsAfter = (polls: number, parameters: Partial<WaitForRequestParameters>) => async () => {
    const failure = { details: "out of gas", failReason: "UNKNOWN" };
    const { calls, work } = wait([status("failure", failure)], parameters);
    expect(await rejectionOf(work)).to.include({ ...failure, code: "REQUEST_FAILED", status: "failure" });
    expect(calls).to.have.length(polls);
  };
  // Polls come at 0, 1 and 2 seconds.
  it("believes a failure only when it still stands after the grace time", failsAfter(3, {}));
  it("believes a failure at once without a grace time", failsAfter(1, { failureGrace: 0 }));

  it("goes on through 429, 503, broken connections and cut answers, and slows down", async () => {
    const { sleeps, work } = wait([
      json({}, 429, { "retry-after": "5" }),
      json({}, 503),
      new TypeError("fetch failed"),
      new Response('{"status":"succ', { status: 200 }),
      status("success", { txHashes: ["0x02"] }),
    ]);
    expect((await work).txHashes).to.deep.equal(["0x02"]);
    // The interval, the Retry-After delay, and half of a bound that doubles.
    expect(sleeps).to.deep.equal([1_000 + 5_000 + 500, 1_000 + 1_000, 1_000 + 2_000, 1_000 + 4_000]);
  });

  // @spec status-request/interval limit/polling
  it("polls once a second, as the service asks, and repeats no poll", async () => {
    const { calls, sleeps, work } = wait([status("waiting"), status("pending"), status("success")]);
    await work;
    expect(calls).to.have.length(3);
    expect(sleeps).to.deep.equal([1_000, 1_000]);
    expect(calls[0]).to.deep.include({ pathname: "/intents/status/v3", query: { requestId } });
  });

  it("reports every change once, and waits for the report", async () => {
    const { seen, work } = wait([
      status("pending"),
      status("pending", { updatedAt: 1_700_000_000_001 }),
      status("submitted", { txHashes: ["0x02"] }),
      status("paused"),
      status("waiting"),
      status("success", { txHashes: ["0x02"] }),
    ]);
    expect(await work).to.include({ destinationChainId: 31338, requestId, status: "success" });
    expect(seen).to.deep.equal(["pending", "submitted", "success"]);
  });

  for (const parameters of [{ onStatus: async () => crash() }, { until: crash }]) {
    it(`fails with the error of ${Object.keys(parameters)[0]}`, async () => {
      const { work } = wait([status("pending")], parameters);
      expect(await rejectionOf(work)).to.have.property("message", "disk full");
    });
  }

  it("given until, returns at the first status that fits", async () => {
    const answers = [status("waiting"), status("pending"), status("refund")];
    const until = (progress: { status: string }) => progress.status !== "waiting";
    const { calls, seen, work } = wait(answers, { until });
    expect(await work).to.include({ requestId, status: "pending" });
    expect([seen, calls.length]).to.deep.equal([["waiting", "pending"], 2]);
  });

  for (const end of ["refund", "success"]) {
    it(`given until a refund, returns a request that ends in ${end}`, async () => {
      expect((await wait([status(end)], { until: isRefunded }).work).status).to.equal(end);
    });
  }
});
