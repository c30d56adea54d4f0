import { expect } from "chai";
import {
  type BaseError,
  type ClientEvent,
  type DeprecationNotice,
  getQuote,
  getRequests,
  getStatus,
  publicRateLimits,
  submitSignature,
  type UnknownReport,
} from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { bridgeQuote, intent, requestId, statusAnswer } from "./support/samples.ts";

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
});

describe("undocumented fields and values of an answer", () => {
  const answer = { ...statusAnswer("paused"), failReason: "MOON_PHASE", moon: "full" };

  it("are reported to onUnknown and returned by default", async () => {
    const reports: UnknownReport[] = [];
    const { client } = fakeService([json(answer)], { onUnknown: (report) => reports.push(report) });
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
    expect(
      reports.map(({ endpoint, kind, path, value }) => [endpoint, kind, path, value]),
    ).to.have.deep.members([
      ["GET /intents/status/v3", "value", "failReason", "MOON_PHASE"],
      ["GET /intents/status/v3", "value", "status", "paused"],
      ["GET /intents/status/v3", "field", "moon", undefined],
    ]);
  });

  it("are an error in strict mode, without the value and without a second attempt", async () => {
    const { calls, client } = fakeService([json(answer)], { validation: "strict" });
    const error = await rejectionOf(getStatus(client, { requestId }));
    expect(error).to.include({ code: "RESPONSE_INVALID", reason: "a value that is not documented" });
    expect(String(error)).to.not.include("paused");
    expect(calls).to.have.length(1);
  });

  it("do not fail an accepted submission, even in strict mode", async () => {
    const { client } = fakeService([json({ brandNew: 1, message: "Success" })], { validation: "strict" });
    const submission = { body: {}, endpoint: "/authorize", signature: "0x11" } as const;
    expect(await submitSignature(client, submission)).to.deep.equal({ brandNew: 1, message: "Success" });
  });

  it("do not excuse an invalid documented field, in any mode", async () => {
    for (const validation of ["off", "strict", "warn"] as const) {
      const { client } = fakeService([json({ status: 7 })], { validation });
      expect(await rejectionOf(getStatus(client, { requestId }))).to.have.property("path", "status");
    }
    expect(() => fakeService([], { validation: "lax" as never })).to.throw("`validation` is invalid");
  });
});

describe("the rate limits of a client", () => {
  const limits = { quote: { calls: 2, perMs: 1_000 } };

  it("delay calls beyond the limit, in the order of the calls", async () => {
    const { calls, client, sleeps } = fakeService([json(bridgeQuote())], { rateLimits: limits });
    for (let index = 0; index < 4; index += 1) await getQuote(client, intent);
    expect(calls).to.have.length(4);
    expect(sleeps).to.deep.equal([500, 500]);
  });

  it("count each group of endpoints by itself", async () => {
    const rateLimits = { ...limits, other: { calls: 1, perMs: 9_000 }, status: { calls: 1, perMs: 1_000 } };
    const { client, sleeps } = fakeService([json(statusAnswer("waiting"))], { rateLimits });
    for (let index = 0; index < 2; index += 1) await getStatus(client, { requestId });
    expect(sleeps).to.deep.equal([1_000]);
  });

  it("give the slot of an aborted call to the next one", async () => {
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

  it("are the documented ones for the public service, and none for any other", () => {
    expect(publicRateLimits.quote).to.deep.equal({ calls: 50, perMs: 60_000 });
    expect(() => fakeService([], { rateLimits: { quote: { calls: 0, perMs: 1 } } })).to.throw(
      "`rateLimits.quote.calls`",
    );
  });
});

describe("onDeprecation", () => {
  const headers = {
    deprecation: "@1784678400",
    link: '<https://docs.relay.link/x>; rel="deprecation", <https://docs.relay.link/y>; rel="sunset", <https://api.relay.link/requests/v3>; rel="successor-version"',
    sunset: "Tue, 24 Nov 2026 00:00:00 GMT",
  };

  // @spec version/v2-deprecated version/v2-successor
  it("receives the dates and links of deprecation headers, of error answers too", async () => {
    const notices: DeprecationNotice[] = [];
    const answers = [json({}, 429, headers), json({ requests: [] }, 200, headers)];
    const { client } = fakeService(answers, { onDeprecation: (notice) => notices.push(notice) });
    await getRequests(client, { version: "v2" });
    expect(notices).to.have.length(2);
    expect(notices[0]).to.deep.equal({
      deprecatedAt: new Date("2026-07-22T00:00:00Z"),
      link: "https://docs.relay.link/x",
      method: "GET",
      path: "/requests/v2",
      successor: "https://api.relay.link/requests/v3",
      sunsetAt: new Date("2026-11-24T00:00:00Z"),
    });
  });
});
