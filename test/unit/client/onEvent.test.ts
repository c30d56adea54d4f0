import { expect } from "chai";
import { type BaseError, type ClientEvent, getChains, getStatus } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { requestId, statusAnswer } from "./support/samples.ts";

const chains = { chains: [] };

describe("onEvent", () => {
  it("receives each finished attempt with its duration and error, without its query", async () => {
    const events: ClientEvent[] = [];
    const { client } = fakeService([json({}, 503), new TypeError("cut"), json(statusAnswer("pending"))], {
      apiKey: "a-secret-key",
      onEvent: (event) => events.push(event),
    });
    await getStatus(client, { requestId });
    expect(events.map(({ attempt, endpoint }) => `${attempt} ${endpoint}`)).to.deep.equal([
      "1 GET /intents/status/v3",
      "2 GET /intents/status/v3",
      "3 GET /intents/status/v3",
    ]);
    expect(events.map(({ error }) => (error as BaseError | undefined)?.code)).to.deep.equal([
      "HTTP_ERROR",
      "NETWORK_ERROR",
      undefined,
    ]);
    expect(JSON.stringify(events)).not.to.contain("a-secret-key").and.not.to.contain(requestId);
  });

  it("counts the wait for the rate limit as duration, and reports a shared call once", async () => {
    const events: ClientEvent[] = [];
    const { client } = fakeService([json(chains)], {
      onEvent: (event) => events.push(event),
      rateLimits: { other: { calls: 1, perMs: 4_000 } },
    });
    await Promise.all([getChains(client), getChains(client)]);
    await getChains(client);
    expect(events.map(({ durationMs }) => durationMs)).to.deep.equal([0, 4_000]);
  });

  it("fails the call with the error that it throws", async () => {
    const { client } = fakeService([json(chains)], {
      onEvent: () => {
        throw new Error("no metrics");
      },
    });
    expect(await rejectionOf(getChains(client))).to.have.property("message", "no metrics");
  });
});
