import { expect } from "chai";
import {
  bucketOf,
  createRequestCounter,
  limitOf,
} from "../../../../../emulator/http/middleware/rateLimits.ts";

describe("rateLimits", () => {
  const elevated = { isElevated: true };
  const august = Date.UTC(2026, 7, 31);

  it("paths: belong to the bucket of their endpoint; pages and administration to none", () => {
    for (const [path, bucket] of [
      ["/quote/v2", "quote"],
      ["/quote", "quote"],
      ["/requests/v2", "requests"],
      ["/requests/v3", "requests-v3"],
      ["/requests/0x01/signature", "other"],
      ["/intents/status/v3", "other"],
      ["/chains", "other"],
      ["/admin/requests/0x01/events", undefined],
      ["/console", undefined],
    ] as const) {
      expect(bucketOf(path), path).to.equal(bucket);
    }
  });

  const [minute, second] = [60_000, 1_000];
  // Requests without a key, with an ordinary one and with an elevated one.
  for (const [bucket, anonymous, ordinary, high, highWindowMs] of [
    ["quote", 50, 50, 10, second],
    ["requests-v3", 200, 200, 20, second],
    ["requests", 100, 200, 10, second],
    ["transactions-status", 200, 200, 200, minute],
    ["other", 200, 200, 200, minute],
  ] as const) {
    // @spec auth/requests-v2
    it(`${bucket}: ${anonymous} requests a minute without a key, ${ordinary} with one, ${high} with an elevated one`, () => {
      expect(limitOf(bucket, undefined, august)).to.deep.equal({ requests: anonymous, windowMs: minute });
      expect(limitOf(bucket, { isElevated: false }, august)).to.deep.equal({
        requests: ordinary,
        windowMs: minute,
      });
      expect(limitOf(bucket, elevated, august)).to.deep.equal({ requests: high, windowMs: highWindowMs });
    });
  }

  for (const [month, now, anonymous, ordinary, high] of [
    ["August", Date.UTC(2026, 7, 31, 23, 59), 100, 200, 10],
    ["September", Date.UTC(2026, 8, 1), 50, 100, 5],
    ["October", Date.UTC(2026, 9, 1), 25, 50, 2],
    ["November", Date.UTC(2026, 10, 1), 12, 25, 1],
  ] as const) {
    // @spec version/v2-throttled
    it(`the retired listing in ${month} 2026: ${anonymous}, ${ordinary} and ${high} requests; its successor stays`, () => {
      expect(limitOf("requests", undefined, now).requests).to.equal(anonymous);
      expect(limitOf("requests", { isElevated: false }, now).requests).to.equal(ordinary);
      expect(limitOf("requests", elevated, now).requests).to.equal(high);
      expect(limitOf("requests-v3", undefined, now).requests).to.equal(200);
    });
  }

  it("requests beyond the limit of a window: are refused, for each client by itself", () => {
    const counter = createRequestCounter();
    const limit = { requests: 3, windowMs: 1_000 };
    const results = (who: string, now: number, times: number) =>
      Array.from({ length: times }, () => counter.count(who, limit, now));
    expect(results("one", 5_000, 4)).to.deep.equal([true, true, true, false]);
    expect(results("two", 5_999, 4)).to.deep.equal([true, true, true, false]);
    expect(results("one", 5_999, 1)).to.deep.equal([false]);
    expect(results("one", 6_000, 4)).to.deep.equal([true, true, true, false]);
  });

  it("200,000 clients: the oldest are forgotten and may ask again, the latest are not", () => {
    const counter = createRequestCounter();
    const limit = { requests: 1, windowMs: 60_000 };
    for (let i = 0; i < 200_000; i++) counter.count(`name ${i}`, limit, 1_000);
    expect(counter.count("name 0", limit, 1_000)).to.equal(true);
    expect(counter.count("name 199999", limit, 1_000)).to.equal(false);
  });
});
