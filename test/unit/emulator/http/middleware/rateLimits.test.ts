import { expect } from "chai";
import {
  bucketOf,
  createRequestCounter,
  limitOf,
} from "../../../../../emulator/http/middleware/rateLimits.ts";

describe("rate limits", () => {
  const elevated = { isElevated: true };
  const august = Date.UTC(2026, 7, 31);

  it("count endpoints as the service does", () => {
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

  it("are those of the service, for ordinary keys and for elevated ones", () => {
    expect(limitOf("quote", undefined, august)).to.deep.equal({ requests: 50, windowMs: 60_000 });
    expect(limitOf("requests-v3", { isElevated: false }, august)).to.deep.equal({
      requests: 200,
      windowMs: 60_000,
    });
    expect(limitOf("quote", elevated, august)).to.deep.equal({ requests: 10, windowMs: 1_000 });
    expect(limitOf("requests-v3", elevated, august)).to.deep.equal({ requests: 20, windowMs: 1_000 });
    expect(limitOf("other", elevated, august)).to.deep.equal({ requests: 200, windowMs: 60_000 });
  });

  it("shrink month by month for the endpoint that is being retired, and for no other", () => {
    const months = [
      [Date.UTC(2026, 7, 31, 23, 59), 100, 200, 10],
      [Date.UTC(2026, 8, 1), 50, 100, 5],
      [Date.UTC(2026, 9, 1), 25, 50, 2],
      [Date.UTC(2026, 10, 1), 12, 25, 1],
    ] as const;
    for (const [now, anonymous, ordinary, high] of months) {
      expect(limitOf("requests", undefined, now).requests).to.equal(anonymous);
      expect(limitOf("requests", { isElevated: false }, now).requests).to.equal(ordinary);
      expect(limitOf("requests", elevated, now).requests).to.equal(high);
      expect(limitOf("requests-v3", undefined, now).requests).to.equal(200);
    }
  });

  it("are more generous with a key for the older listing, and the same for everything else", () => {
    for (const bucket of ["quote", "requests-v3", "transactions-status", "other"] as const) {
      expect(limitOf(bucket, undefined, august)).to.deep.equal(
        limitOf(bucket, { isElevated: false }, august),
      );
    }
    const [without, withKey] = [undefined, { isElevated: false }].map((key) =>
      limitOf("requests", key, august),
    );
    expect(withKey).to.deep.equal({ requests: 200, windowMs: 60_000 });
    expect(without).to.deep.equal({ requests: 100, windowMs: 60_000 });
  });

  it("let as many requests through per window as they say, for each client apart", () => {
    const counter = createRequestCounter();
    const limit = { requests: 3, windowMs: 1_000 };
    const results = (who: string, now: number, times: number) =>
      Array.from({ length: times }, () => counter.count(who, limit, now));
    expect(results("one", 5_000, 4)).to.deep.equal([true, true, true, false]);
    expect(results("two", 5_999, 4)).to.deep.equal([true, true, true, false]);
    expect(results("one", 5_999, 1)).to.deep.equal([false]);
    expect(results("one", 6_000, 4)).to.deep.equal([true, true, true, false]);
  });

  it("forget the oldest names when very many ask, and not the latest", () => {
    const counter = createRequestCounter();
    const limit = { requests: 1, windowMs: 60_000 };
    for (let i = 0; i < 200_000; i++) counter.count(`name ${i}`, limit, 1_000);
    // The first ones are forgotten, and may ask again; the last ones are not.
    expect(counter.count("name 0", limit, 1_000)).to.equal(true);
    expect(counter.count("name 199999", limit, 1_000)).to.equal(false);
  });
});
