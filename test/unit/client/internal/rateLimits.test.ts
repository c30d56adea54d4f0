import { expect } from "chai";
import { getChains, getQuote, publicRateLimits } from "../../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "../support/fakeService.ts";
import { bridgeQuote, intent } from "../support/samples.ts";

const chains = { chains: [] };

describe("the rate limits of a client", () => {
  const limits = { quote: { calls: 2, perMs: 1_000 } };

  it("calls beyond the limit: are delayed, in the order of the calls", async () => {
    const { calls, client, sleeps } = fakeService([json(bridgeQuote())], { rateLimits: limits });
    for (let index = 0; index < 4; index += 1) await getQuote(client, intent);
    expect(calls).to.have.length(4);
    expect(sleeps).to.deep.equal([500, 500]);
  });

  it("calls of two groups of endpoints: are counted separately", async () => {
    const { client, sleeps } = fakeService([json(chains)], { rateLimits: limits });
    for (let index = 0; index < 10; index += 1) await getChains(client);
    expect(sleeps).to.deep.equal([]);
  });

  it("a call that is retried: counts each attempt", async () => {
    const answers = [json({}, 503), json({}, 503), json(bridgeQuote())];
    const { client, sleeps } = fakeService(answers, { random: () => 0, rateLimits: limits });
    await getQuote(client, intent);
    expect(sleeps).to.deep.equal([0, 0, 500]);
  });

  it("an aborted call: gives its slot to the next one", async () => {
    const controller = new AbortController();
    const waits: number[] = [];
    const { client } = fakeService([json(bridgeQuote())], {
      rateLimits: { quote: { calls: 1, perMs: 1_000 } },
      sleep: async (ms, signal) => {
        waits.push(ms);
        if (signal?.aborted === false && waits.length === 1) {
          controller.abort();
          throw signal.reason;
        }
      },
    });
    await getQuote(client, intent);
    await rejectionOf(getQuote(client, { ...intent, signal: controller.signal }));
    await getQuote(client, intent);
    expect(waits).to.deep.equal([1_000, 1_000]);
  });

  it("the public service: has the documented limits, and no other service has limits", () => {
    expect(publicRateLimits.quote).to.deep.equal({ calls: 50, perMs: 60_000 });
    expect(() => fakeService([], { rateLimits: { quote: { calls: 0, perMs: 1 } } })).to.throw(
      "`rateLimits.quote.calls`",
    );
  });

  it("the public service: delays the fifty-first quote", async () => {
    const { client, sleeps } = fakeService([json(bridgeQuote())], { baseUrl: "https://api.relay.link" });
    for (let index = 0; index < 51; index += 1) await getQuote(client, intent);
    expect(sleeps).to.deep.equal([1_200]);
    const off = fakeService([json(bridgeQuote())], { baseUrl: "https://api.relay.link", rateLimits: false });
    for (let index = 0; index < 60; index += 1) await getQuote(off.client, intent);
    expect(off.sleeps).to.deep.equal([]);
  });
});
