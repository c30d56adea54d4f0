import { expect } from "chai";
import { AbortedError } from "../../../src/errors/AbortedError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { backoffDelay } from "../../../src/internal/backoff.ts";
import { startDeadline } from "../../../src/internal/deadline.ts";
import { sleep } from "../../../src/internal/sleep.ts";
import { rejectionOf } from "../client/support/fakeService.ts";

const never = new Promise<never>(() => undefined);

describe("sleep", () => {
  it("ends at once when the signal fires, before and while it waits", async () => {
    const started = Date.now();
    expect(await rejectionOf(sleep(60_000, AbortSignal.abort()))).to.be.instanceOf(AbortedError);
    expect(await rejectionOf(sleep(60_000, AbortSignal.timeout(5)))).to.be.instanceOf(AbortedError);
    expect(Date.now() - started).to.be.lessThan(5_000);
  });
});

describe("backoffDelay", () => {
  it("stays between zero and a bound that doubles up to the maximum", () => {
    const backoff = { baseDelay: 250, maxDelay: 10_000 };
    const bounds = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
    bounds.forEach((bound, index) => {
      expect(backoffDelay(index + 1, backoff, () => 0)).to.equal(0);
      expect(backoffDelay(index + 1, backoff, () => 0.999_999)).to.equal(bound - 1);
    });
    expect(backoffDelay(100_000, backoff, () => 0.5)).to.equal(5_000);
  });
});

describe("startDeadline", () => {
  it("ends work that ignores its signal, and names the limit", async () => {
    const deadline = startDeadline({ now: Date.now, operation: "testing", retryable: false, timeoutMs: 5 });
    const error = await rejectionOf(deadline.race(never));
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.include({ operation: "testing", retryable: false, timeoutMs: 5 });
    expect(deadline.signal.reason).to.equal(error);
  });

  it("prefers the signal of the caller when that fired first", async () => {
    const signal = AbortSignal.abort("closed");
    const deadline = startDeadline({ now: Date.now, operation: "testing", signal, timeoutMs: 60_000 });
    const error = await rejectionOf(deadline.race(never));
    expect(error).to.be.instanceOf(AbortedError);
    expect(error).to.have.property("cause", "closed");
    deadline[Symbol.dispose]();
  });

  it("does not end at once when the limit is longer than a timer can be", async () => {
    const deadline = startDeadline({ now: Date.now, operation: "testing", timeoutMs: 2 ** 40 });
    await sleep(5);
    expect(deadline.signal.aborted).to.equal(false);
    deadline[Symbol.dispose]();
  });
});
