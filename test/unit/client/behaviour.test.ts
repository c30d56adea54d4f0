import { expect } from "chai";
import {
  allOf,
  anyOf,
  type BaseError,
  type ClientEvent,
  type DeprecationNotice,
  getChains,
  getQuote,
  getRequests,
  getStatus,
  iterateRequestPages,
  iterateRequests,
  not,
  publicRateLimits,
  type RequestFilterGroup,
  submitSignature,
  type UnknownReport,
} from "../../../src/client/index.ts";
import { recordV3 } from "../schema/support/records.ts";
import { fakeService, json, rejectionOf, type SeenCall, silence } from "./support/fakeService.ts";
import { bridgeQuote, intent, requestId, statusAnswer } from "./support/samples.ts";

const chains = { chains: [] };

/** Type-level: what a group must not take is not a key of it. */
type TopLevelOnly = "features" | "startTimestamp" | "not:amountUsdMin" | "term" | "limit";
const noneOfThem: Extract<keyof RequestFilterGroup, TopLevelOnly> extends never ? true : false = true;

describe("pages of requests", () => {
  const page = (ids: readonly string[], continuation?: string) =>
    json({
      requests: ids.map((id) => recordV3({ id })),
      ...(continuation === undefined ? {} : { continuation }),
    });

  it("are read one after another, with the cursor of the one before", async () => {
    const { calls, client } = fakeService([page(["a", "b"], "c1"), page([], "c2"), page(["c"])]);
    const ids: string[] = [];
    for await (const { id } of iterateRequests(client, { limit: 2, status: "success" })) ids.push(id);
    expect(ids).to.deep.equal(["a", "b", "c"]);
    expect(calls.map(({ query }) => query)).to.deep.equal([
      { limit: "2", status: "success" },
      { continuation: "c1", limit: "2", status: "success" },
      { continuation: "c2", limit: "2", status: "success" },
    ]);
  });

  it("are not read any further than somebody looks", async () => {
    const { calls, client } = fakeService([page(["a", "b"], "c1")]);
    for await (const { id } of iterateRequests(client)) if (id === "a") break;
    expect(calls).to.have.length(1);
  });

  it("can be gone on with from a cursor", async () => {
    const { calls, client } = fakeService([page(["z"])]);
    for await (const { requests } of iterateRequestPages(client, { continuation: "c9" }))
      expect(requests).to.have.length(1);
    expect(calls[0]?.query).to.deep.equal({ continuation: "c9" });
  });

  it("end with an error when the cursors go round", async () => {
    const { calls, client } = fakeService([page(["a"], "c1"), page(["b"], "c2"), page(["a"], "c1")]);
    const work = (async () => {
      for await (const record of iterateRequests(client)) void record;
    })();
    expect(await rejectionOf(work)).to.include({ code: "RESPONSE_INVALID", path: "continuation" });
    expect(calls).to.have.length(3);
  });

  it("stop when the caller aborts between two of them", async () => {
    const controller = new AbortController();
    const { calls, client } = fakeService([page(["a"], "c1")]);
    const work = (async () => {
      for await (const record of iterateRequests(client, { signal: controller.signal })) {
        void record;
        controller.abort();
      }
    })();
    expect(await rejectionOf(work)).to.have.property("code", "ABORTED");
    expect(calls).to.have.length(1);
  });
});

describe("the builder of filters", () => {
  it("makes groups, joins parts and negates", () => {
    const groups = anyOf(
      { depositAddress: "0xabc", originChainId: 8453 },
      allOf({ destinationChainId: [1, 10] }, not({ requestType: "Call", status: ["failure", "refund"] })),
    );
    expect(groups).to.deep.equal([
      { depositAddress: "0xabc", originChainId: 8453 },
      { destinationChainId: [1, 10], "not:requestType": "Call", "not:status": ["failure", "refund"] },
    ]);
  });

  it("refuses what exists at the top level only, to the compiler and while running", () => {
    expect(noneOfThem).to.equal(true);
    for (const field of ["features", "startTimestamp", "amountUsdMin", "term"]) {
      const group = { [field]: 1 } as RequestFilterGroup;
      expect(() => anyOf(group)).to.throw(`Parameter \`filters.0\` is invalid: no such field: "${field}"`);
      expect(() => anyOf(not(group as never))).to.throw(`"not:${field}"`);
    }
  });

  it("refuses a field twice in a group, a double negation and an empty group", () => {
    expect(() => allOf({ user: "a" }, { user: "b" })).to.throw("`parts.user` is invalid: it is in two parts");
    expect(() => not({ "not:user": "a" } as never)).to.throw("`not:user` is invalid: it is negated already");
    expect(() => anyOf({})).to.throw("a group without a field");
    expect(() => anyOf()).to.throw("`filters` is invalid");
  });
});

describe("the end of an endpoint", () => {
  const headers = {
    deprecation: "@1784678400",
    link: '<https://docs.relay.link/x>; rel="deprecation", <https://docs.relay.link/y>; rel="sunset", <https://api.relay.link/requests/v3>; rel="successor-version"',
    sunset: "Tue, 24 Nov 2026 00:00:00 GMT",
  };

  it("is told with its dates and links, after good and after bad answers", async () => {
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

  it("is not made up, and headers that cannot be read do no harm", async () => {
    const notices: DeprecationNotice[] = [];
    const answers = [
      json(chains),
      json(chains, 200, { deprecation: "true", link: "<<>;rel=x", sunset: "soon" }),
    ];
    const { client } = fakeService(answers, { onDeprecation: (notice) => notices.push(notice) });
    await getChains(client);
    expect(notices).to.deep.equal([]);
    await getChains(client);
    expect(notices[0]).to.include({ deprecatedAt: undefined, sunsetAt: undefined, successor: undefined });
  });
});

describe("onEvent", () => {
  it("is told of each attempt when it is over, with its time and its error, and of no query", async () => {
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

  it("is told how long an attempt took, what it waited for its turn included, and once of a shared call", async () => {
    const events: ClientEvent[] = [];
    const { client } = fakeService([json(chains)], {
      onEvent: (event) => events.push(event),
      rateLimits: { other: { calls: 1, perMs: 4_000 } },
    });
    await Promise.all([getChains(client), getChains(client)]);
    await getChains(client);
    expect(events.map(({ durationMs }) => durationMs)).to.deep.equal([0, 4_000]);
  });

  it("fails the call with what it throws", async () => {
    const { client } = fakeService([json(chains)], {
      onEvent: () => {
        throw new Error("no metrics");
      },
    });
    expect(await rejectionOf(getChains(client))).to.have.property("message", "no metrics");
  });
});

describe("what the interface does not document", () => {
  const answer = { ...statusAnswer("paused"), moon: "full" };

  it("is told and not fatal by default", async () => {
    const reports: UnknownReport[] = [];
    const { client } = fakeService([json(answer)], { onUnknown: (report) => reports.push(report) });
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
    expect(
      reports.map(({ endpoint, kind, path, value }) => [endpoint, kind, path, value]),
    ).to.have.deep.members([
      ["GET /intents/status/v3", "value", "status", "paused"],
      ["GET /intents/status/v3", "field", "moon", undefined],
    ]);
  });

  it("is an error in strict mode, without its value and without a second attempt", async () => {
    const { calls, client } = fakeService([json(answer)], { validation: "strict" });
    const error = await rejectionOf(getStatus(client, { requestId }));
    expect(error).to.include({ code: "RESPONSE_INVALID", reason: "a value that is not documented" });
    expect(String(error)).to.not.include("paused");
    expect(calls).to.have.length(1);
  });

  it("never makes an accepted submission look like a failed one", async () => {
    const { client } = fakeService([json({ brandNew: 1, message: "Success" })], { validation: "strict" });
    const submission = { body: {}, endpoint: "/authorize", signature: "0x11" } as const;
    expect(await submitSignature(client, submission)).to.deep.equal({ brandNew: 1, message: "Success" });
  });

  it("is not looked for when that is switched off", async () => {
    const { client } = fakeService([json(answer)], {
      onUnknown: () => expect.fail("looked"),
      validation: "off",
    });
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
  });

  it("does not excuse an answer that is not valid, in any mode", async () => {
    for (const validation of ["off", "strict", "warn"] as const) {
      const { client } = fakeService([json({ status: 7 })], { validation });
      expect(await rejectionOf(getStatus(client, { requestId }))).to.have.property("path", "status");
    }
    expect(() => fakeService([], { validation: "lax" as never })).to.throw("`validation` is invalid");
  });
});

describe("the rate limits of a client", () => {
  const limits = { quote: { calls: 2, perMs: 1_000 } };

  it("hold calls back until there is room, in the order in which they came", async () => {
    const { calls, client, sleeps } = fakeService([json(bridgeQuote())], { rateLimits: limits });
    for (let index = 0; index < 4; index += 1) await getQuote(client, intent);
    expect(calls).to.have.length(4);
    expect(sleeps).to.deep.equal([500, 500]);
  });

  it("count each group of endpoints by itself", async () => {
    const { client, sleeps } = fakeService([json(chains)], { rateLimits: limits });
    for (let index = 0; index < 10; index += 1) await getChains(client);
    expect(sleeps).to.deep.equal([]);
  });

  it("count every attempt", async () => {
    const answers = [json({}, 503), json({}, 503), json(bridgeQuote())];
    const { client, sleeps } = fakeService(answers, { random: () => 0, rateLimits: limits });
    await getQuote(client, intent);
    expect(sleeps).to.deep.equal([0, 0, 500]);
  });

  it("give the place of a call that was given up to the next one", async () => {
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

  it("of the public service hold back the fifty-first quote", async () => {
    const { client, sleeps } = fakeService([json(bridgeQuote())], { baseUrl: "https://api.relay.link" });
    for (let index = 0; index < 51; index += 1) await getQuote(client, intent);
    expect(sleeps).to.deep.equal([1_200]);
    const off = fakeService([json(bridgeQuote())], { baseUrl: "https://api.relay.link", rateLimits: false });
    for (let index = 0; index < 60; index += 1) await getQuote(off.client, intent);
    expect(off.sleeps).to.deep.equal([]);
  });
});

describe("reads that are on their way", () => {
  const slow = () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = async () => {
      await gate;
      return json({ chains: [] });
    };
    return { answer, release: () => release() };
  };

  it("are shared by everybody who asks for the same, each with an answer of its own", async () => {
    const { answer, release } = slow();
    const { calls, client } = fakeService([answer]);
    const work = [getChains(client), getChains(client), getChains(client)];
    release();
    const [first, second] = await Promise.all(work);
    expect(calls).to.have.length(1);
    expect(first).to.deep.equal(chains);
    expect(second).to.deep.equal(chains);
    expect(first === second).to.equal(false);
    await getChains(client);
    expect(calls).to.have.length(2);
  });

  it("are not shared between addresses, nor are submissions and quotes", async () => {
    const { calls, client } = fakeService([
      (call: SeenCall) => json(call.pathname === "/quote/v2" ? bridgeQuote() : statusAnswer("waiting")),
    ]);
    const other = requestId.replace("a", "b");
    await Promise.all([
      getStatus(client, { requestId }),
      getStatus(client, { requestId: other }),
      getQuote(client, intent),
      getQuote(client, intent),
    ]);
    expect(calls).to.have.length(4);
  });

  it("go on for the others when one gives up, and are given up with the last", async () => {
    const signals: AbortSignal[] = [];
    const { answer, release } = slow();
    const { client } = fakeService([
      (_call, signal) => {
        signals.push(signal);
        return answer();
      },
    ]);
    const controller = new AbortController();
    const leaving = rejectionOf(getChains(client, { signal: controller.signal }));
    const staying = getChains(client);
    controller.abort();
    expect(await leaving).to.have.property("code", "ABORTED");
    expect(signals[0]?.aborted).to.equal(false);
    release();
    expect(await staying).to.deep.equal(chains);

    const alone = fakeService([
      (_call, signal) => {
        signals.push(signal);
        return silence();
      },
    ]);
    const last = new AbortController();
    const work = rejectionOf(getChains(alone.client, { signal: last.signal }));
    last.abort();
    await work;
    expect(signals[1]?.aborted).to.equal(true);
  });

  it("fail for everybody with the same error", async () => {
    const { calls, client } = fakeService([json({}, 500)]);
    const errors = await Promise.all([rejectionOf(getChains(client)), rejectionOf(getChains(client))]);
    expect(calls).to.have.length(1);
    expect(errors[0]).to.have.property("status", 500);
    expect(errors[1]).to.equal(errors[0]);
  });
});
