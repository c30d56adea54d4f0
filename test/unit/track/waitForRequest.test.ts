import { expect } from "chai";
import { AbortedError } from "../../../src/errors/AbortedError.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { waitForRequest } from "../../../src/track/waitForRequest.ts";
import { type Answer, fakeService, json, rejectionOf, silence } from "../client/support/fakeService.ts";
import { requestId, statusAnswer } from "../client/support/samples.ts";

const status = (name: string, more: Record<string, unknown> = {}): Answer => json(statusAnswer(name, more));

describe("waitForRequest", () => {
  it("gives up on a request that stays pending for ever, and tells the last status", async () => {
    const { calls, client } = fakeService([status("waiting"), status("pending")]);
    const error = await rejectionOf(waitForRequest(client, { requestId, timeout: 60_000 }));
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.include({ code: "TIMEOUT", lastStatus: "pending", requestId, timeoutMs: 60_000 });
    expect(calls).to.have.length(60);
  });

  it("gives up on a service that never answers, after the time it was given", async () => {
    const { client } = fakeService([silence], { now: Date.now });
    const started = Date.now();
    const error = await rejectionOf(waitForRequest(client, { requestId, timeout: 40 }));
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.include({ lastStatus: undefined, requestId, timeoutMs: 40 });
    expect(Date.now() - started).to.be.lessThan(2_000);
  });

  it("fails with the refund when a refund follows a failure", async () => {
    const { client } = fakeService([
      status("pending"),
      status("failure", { failReason: "EXECUTION_REVERTED" }),
      status("pending"),
      status("pending"),
      status("refund", { failReason: "EXECUTION_REVERTED", inTxHashes: ["0x01"], txHashes: ["0x02"] }),
    ]);
    const seen: string[] = [];
    const error = await rejectionOf(
      waitForRequest(client, { onStatus: (p) => void seen.push(p.status), requestId }),
    );
    expect(error).to.be.instanceOf(RequestFailedError);
    expect(error).to.deep.include({
      code: "REQUEST_REFUNDED",
      failReason: "EXECUTION_REVERTED",
      inTxHashes: ["0x01"],
      requestId,
      status: "refund",
      txHashes: ["0x02"],
    });
    expect(seen).to.deep.equal(["pending", "failure", "pending", "refund"]);
  });

  it("believes a failure only when it still stands after the grace time", async () => {
    const { calls, client } = fakeService([
      status("failure", { details: "out of gas", failReason: "UNKNOWN" }),
    ]);
    const error = await rejectionOf(waitForRequest(client, { requestId }));
    expect(error).to.include({
      code: "REQUEST_FAILED",
      details: "out of gas",
      failReason: "UNKNOWN",
      status: "failure",
    });
    // At 0, 1 and 2 seconds.
    expect(calls).to.have.length(3);
    const impatient = fakeService([status("failure")]);
    await rejectionOf(waitForRequest(impatient.client, { failureGrace: 0, requestId }));
    expect(impatient.calls).to.have.length(1);
  });

  it("gives every failure its own grace time", async () => {
    const { calls, client } = fakeService([
      status("failure"),
      status("pending"),
      status("failure"),
      status("failure"),
      status("refund"),
    ]);
    const error = await rejectionOf(waitForRequest(client, { requestId }));
    expect(error).to.have.property("status", "refund");
    expect(calls).to.have.length(5);
  });

  it("goes on through 429, 503, broken connections and cut answers, and slows down", async () => {
    const { client, sleeps } = fakeService([
      json({}, 429, { "retry-after": "5" }),
      json({}, 503),
      new TypeError("fetch failed"),
      new Response('{"status":"succ', { status: 200 }),
      status("success", { txHashes: ["0x02"] }),
    ]);
    const { txHashes } = await waitForRequest(client, { requestId });
    expect(txHashes).to.deep.equal(["0x02"]);
    // The interval, what Retry-After asks, and half of a bound that doubles.
    expect(sleeps).to.deep.equal([1_000 + 5_000 + 500, 1_000 + 1_000, 1_000 + 2_000, 1_000 + 4_000]);
  });

  it("does not repeat a poll by itself: one call a second is what the service asks for", async () => {
    const { calls, client, sleeps } = fakeService([status("waiting"), status("pending"), status("success")]);
    await waitForRequest(client, { requestId });
    expect(calls).to.have.length(3);
    expect(sleeps).to.deep.equal([1_000, 1_000]);
    expect(calls[0]).to.deep.include({ pathname: "/intents/status/v3", query: { requestId } });
  });

  it("stops at once on an error that will not pass", async () => {
    for (const answer of [json({ message: "unknown request" }, 404), json({ status: 7 }), json([])]) {
      const { calls, client } = fakeService([answer]);
      await rejectionOf(waitForRequest(client, { requestId }));
      expect(calls).to.have.length(1);
    }
  });

  it("keeps the last error of a poll as the cause of its timeout", async () => {
    const { client } = fakeService([json({ message: "down for maintenance" }, 503)]);
    const error = await rejectionOf(waitForRequest(client, { requestId, timeout: 5_000 }));
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.have.nested.property("cause.status", 503);
  });

  it("stops when the caller aborts, between two polls and during one", async () => {
    const between = new AbortController();
    const first = fakeService([status("pending")]);
    const onStatus = () => between.abort();
    const error = await rejectionOf(
      waitForRequest(first.client, { onStatus, requestId, signal: between.signal }),
    );
    expect(error).to.be.instanceOf(AbortedError);
    expect(first.calls).to.have.length(1);

    const during = new AbortController();
    const { client } = fakeService([
      () => {
        during.abort();
        return silence();
      },
    ]);
    const second = await rejectionOf(waitForRequest(client, { requestId, signal: during.signal }));
    expect(second).to.be.instanceOf(AbortedError);
  });

  it("reports every change once, and waits for the report", async () => {
    const { client } = fakeService([
      status("pending"),
      status("pending", { updatedAt: 1_700_000_000_001 }),
      status("submitted", { txHashes: ["0x02"] }),
      status("paused"),
      status("waiting"),
      status("success", { txHashes: ["0x02"] }),
    ]);
    const seen: string[] = [];
    const onStatus = async ({ status: name }: { status: string }) => {
      await Promise.resolve();
      seen.push(name);
    };
    const result = await waitForRequest(client, { onStatus, requestId });
    expect(seen).to.deep.equal(["pending", "submitted", "success"]);
    expect(result).to.include({ destinationChainId: 31338, requestId, status: "success" });
  });

  it("fails when its reporter fails", async () => {
    const { client } = fakeService([status("pending")]);
    const onStatus = () => Promise.reject(new Error("disk full"));
    expect(await rejectionOf(waitForRequest(client, { onStatus, requestId }))).to.have.property(
      "message",
      "disk full",
    );
  });

  it("refuses limits that cannot be", async () => {
    const { calls, client } = fakeService([status("success")]);
    for (const fields of [
      { pollingInterval: 0 },
      { timeout: Number.NaN },
      { failureGrace: -1 },
      { requestId: "0x1" },
    ]) {
      const [parameter] = Object.keys(fields);
      const error = await rejectionOf(waitForRequest(client, { requestId, ...fields }));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
    }
    expect(calls).to.deep.equal([]);
  });

  it("waits no longer than its caller asks for, and does not fail with an end that was asked for", async () => {
    const { calls, client } = fakeService([status("waiting"), status("pending"), status("refund")]);
    const seen: string[] = [];
    const onStatus = (progress: { status: string }) => void seen.push(progress.status);
    const paid = await waitForRequest(client, {
      onStatus,
      requestId,
      until: (progress) => progress.status !== "waiting",
    });
    expect(paid).to.include({ requestId, status: "pending" });
    expect([seen, calls.length]).to.deep.equal([["waiting", "pending"], 2]);
    const refunded = await waitForRequest(client, { requestId, until: isRefunded });
    expect(refunded.status).to.equal("refund");
    // The end comes first: then it is as without a predicate.
    const filled = fakeService([status("success")]);
    expect((await waitForRequest(filled.client, { requestId, until: isRefunded })).status).to.equal(
      "success",
    );
  });

  it("fails when its predicate fails", async () => {
    const { client } = fakeService([status("pending")]);
    const until = () => {
      throw new Error("no such thing");
    };
    expect(await rejectionOf(waitForRequest(client, { requestId, until }))).to.have.property(
      "message",
      "no such thing",
    );
  });
});

const isRefunded = (progress: { status: string }) => progress.status === "refund";
