import { expect } from "chai";
import { createMemorySeenStore } from "../../../src/webhooks/index.ts";
import { now } from "./support/delivery.ts";

describe("createMemorySeenStore", () => {
  it("gives a key to the first claim, until it is released or old", () => {
    let time = now;
    const store = createMemorySeenStore({ now: () => time, ttlSeconds: 10 });
    expect([store.claim("a"), store.claim("a"), store.claim("b")]).to.deep.equal([true, false, true]);
    store.release("a");
    expect([store.claim("a"), store.claim("a")]).to.deep.equal([true, false]);
    time += 9_999;
    expect(store.claim("a")).to.equal(false);
    time += 1;
    expect([store.claim("a"), store.claim("a")]).to.deep.equal([true, false]);
  });

  it("forgets the oldest key when it is full", () => {
    const store = createMemorySeenStore({ maxKeys: 2 });
    expect(["a", "b", "c"].map(store.claim)).to.deep.equal([true, true, true]);
    expect([store.claim("c"), store.claim("b"), store.claim("a")]).to.deep.equal([false, false, true]);
  });

  it("rejects a size of zero and an age that is no number", () => {
    expect(() => createMemorySeenStore({ maxKeys: 0 })).to.throw("`maxKeys` is invalid");
    expect(() => createMemorySeenStore({ ttlSeconds: Number.NaN })).to.throw("`ttlSeconds` is invalid");
  });
});
