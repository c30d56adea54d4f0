import { expect } from "chai";
import { Hono } from "hono";
import * as entry from "../../../src/webhooks/index.ts";
import { eventBody, headersOf, now, requestId, secret } from "./support/delivery.ts";

const { createMemorySeenStore, expressWebhook, fastifyWebhook, fetchWebhook, honoWebhook, receiveWebhook } =
  entry;

/** Handler parameters that write down what they are told. */
function stage(more: Partial<entry.WebhookHandlerParameters> = {}) {
  const [errors, events]: [unknown[], string[]] = [[], []];
  const parameters: entry.WebhookHandlerParameters = {
    now: () => now,
    onError: (error) => errors.push(error),
    onEvent: ({ data }) => {
      events.push(`${data.requestId} ${data.status}`);
    },
    secrets: [secret],
    ...more,
  };
  return { errors, events, parameters };
}

const body = eventBody();
const headers = headersOf(body);
const handled = `${requestId} success`;

type RecordedResponse = {
  code: (status: number) => RecordedResponse;
  json: (body: unknown) => void;
  send: (body: unknown) => void;
  status: (status: number) => RecordedResponse;
};

/** A server's answer, written down. */
function recorder() {
  const seen: { body: unknown; status: number } = { body: undefined, status: 0 };
  const write = (body: unknown) => {
    seen.body = body;
  };
  const setStatus = (status: number): RecordedResponse => {
    seen.status = status;
    return response;
  };
  const response: RecordedResponse = { code: setStatus, json: write, send: write, status: setStatus };
  return { response, seen };
}

describe("receiveWebhook", () => {
  it("handles an event and answers 200", async () => {
    const { events, parameters } = stage();
    expect((await receiveWebhook(body, headers, parameters)).status).to.equal(200);
    expect(events).to.deep.equal([handled]);
  });

  it("answers what is wrong by its kind, and handles nothing", async () => {
    const { errors, events, parameters } = stage();
    const answers = [
      await receiveWebhook(body, {}, parameters),
      await receiveWebhook(body, headersOf(body, { key: "x" }), parameters),
      await receiveWebhook(body, headersOf(body, { timestamp: "1" }), parameters),
      await receiveWebhook("x".repeat(2_000_000), headers, parameters),
      await receiveWebhook({} as string, headers, parameters),
    ];
    expect(answers.map(({ body: { reason }, status }) => [status, reason])).to.deep.equal([
      [400, "missing_header"],
      [401, "no_match"],
      [401, "stale"],
      [413, "too_long"],
      [400, "parsed_body"],
    ]);
    expect(errors).to.have.length(5);
    expect(events).to.deep.equal([]);
  });

  it("handles an event once however often it is delivered, in any order", async () => {
    const seen = createMemorySeenStore();
    const { events, parameters } = stage({ seen });
    const later = eventBody({ status: "refund", updatedAt: now + 1 });
    for (const text of [body, later, body, body, later]) {
      expect((await receiveWebhook(text, headersOf(text), parameters)).status).to.equal(200);
    }
    expect(events).to.deep.equal([handled, `${requestId} refund`]);
  });

  it("handles an event once when it is delivered twice at the same time", async () => {
    const { events, parameters } = stage({ seen: createMemorySeenStore() });
    await Promise.all(Array.from({ length: 10 }, () => receiveWebhook(body, headers, parameters)));
    expect(events).to.deep.equal([handled]);
  });

  it("takes an event again whose handling failed", async () => {
    let failures = 1;
    const { errors, events, parameters } = stage({ seen: createMemorySeenStore() });
    const flaky: entry.WebhookHandlerParameters = {
      ...parameters,
      onEvent: async (event, delivery) => {
        if (failures > 0) {
          failures -= 1;
          throw new Error("database away");
        }
        await parameters.onEvent(event, delivery);
      },
    };
    expect((await receiveWebhook(body, headers, flaky)).status).to.equal(500);
    expect((await receiveWebhook(body, headers, flaky)).status).to.equal(200);
    expect(events).to.deep.equal([handled]);
    expect(String(errors[0])).to.include("database away");
  });

  it("answers 500 when the store fails, so that the event comes again", async () => {
    const away = () => Promise.reject(new Error("store away"));
    const claiming = stage({ seen: { claim: away, release: away } });
    expect((await receiveWebhook(body, headers, claiming.parameters)).status).to.equal(500);
    expect(claiming.events).to.deep.equal([]);
    const releasing = stage({ onEvent: away, seen: { claim: () => true, release: away } });
    expect((await receiveWebhook(body, headers, releasing.parameters)).status).to.equal(500);
    expect(releasing.errors).to.have.length(2);
  });
});

describe("the adapters", () => {
  it("for fetch handlers take a request and give an answer", async () => {
    const { events, parameters } = stage();
    const handler = fetchWebhook(parameters);
    const answer = await handler(new Request("https://app.test", { body, headers, method: "POST" }));
    expect([answer.status, await answer.json()]).to.deep.equal([200, { message: "Handled" }]);
    expect((await handler(new Request("https://app.test"))).status).to.equal(405);
    expect((await handler(new Request("https://app.test", { method: "POST" }))).status).to.equal(400);
    expect(events).to.deep.equal([handled]);
  });

  it("for fetch handlers read no more of a body than can be a webhook", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        sent += 65_536;
        stream.enqueue(new Uint8Array(65_536));
      },
    });
    const request = new Request("https://app.test", {
      body: endless,
      duplex: "half",
      headers,
      method: "POST",
    } as RequestInit);
    expect((await fetchWebhook(stage().parameters)(request)).status).to.equal(413);
    expect(sent).to.be.lessThan(2_000_000);
  });

  it("for Hono work in an app", async () => {
    const { events, parameters } = stage();
    const app = new Hono().post("/webhook", honoWebhook(parameters));
    const answer = await app.request("/webhook", { body, headers, method: "POST" });
    expect(answer.status).to.equal(200);
    expect((await app.request("/webhook", { body: `${body} `, headers, method: "POST" })).status).to.equal(
      401,
    );
    expect(events).to.deep.equal([handled]);
  });

  it("for Express take raw bytes, and refuse a body that was parsed", async () => {
    const { events, parameters } = stage();
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const good = recorder();
    await expressWebhook(parameters)({ body: Buffer.from(body), headers: lower }, good.response);
    expect(good.seen).to.deep.equal({ body: { message: "Handled" }, status: 200 });
    const parsed = recorder();
    await expressWebhook(parameters)({ body: JSON.parse(body), headers: lower }, parsed.response);
    expect(parsed.seen).to.deep.equal({ body: { message: "Refused", reason: "parsed_body" }, status: 400 });
    expect(events).to.deep.equal([handled]);
  });

  it("for Express hand what cannot work to the next handler", async () => {
    const { parameters } = stage({ secrets: [] });
    const passed: unknown[] = [];
    await expressWebhook(parameters)({ body, headers }, recorder().response, (error) => passed.push(error));
    expect(passed[0]).to.have.property("parameter", "secrets");
  });

  it("for Fastify take raw bytes, and refuse a body that was parsed", async () => {
    const { events, parameters } = stage();
    const good = recorder();
    await fastifyWebhook(parameters)({ body: Buffer.from(body), headers }, good.response);
    expect(good.seen).to.deep.equal({ body: { message: "Handled" }, status: 200 });
    const parsed = recorder();
    await fastifyWebhook(parameters)({ body: JSON.parse(body), headers }, parsed.response);
    expect(parsed.seen.status).to.equal(400);
    expect(events).to.deep.equal([handled]);
  });
});

describe("createMemorySeenStore", () => {
  it("gives a key to the first who asks, until it is released or old", () => {
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

  it("forgets the oldest when it is full", () => {
    const store = createMemorySeenStore({ maxKeys: 2 });
    expect(["a", "b", "c"].map(store.claim)).to.deep.equal([true, true, true]);
    expect([store.claim("c"), store.claim("b"), store.claim("a")]).to.deep.equal([false, false, true]);
  });

  it("refuses bounds that cannot be", () => {
    expect(() => createMemorySeenStore({ maxKeys: 0 })).to.throw("`maxKeys` is invalid");
    expect(() => createMemorySeenStore({ ttlSeconds: Number.NaN })).to.throw("`ttlSeconds` is invalid");
  });
});

describe("the entry point of the webhooks", () => {
  it("exports what it promises and nothing else", () => {
    expect(Object.keys(entry).sort()).to.deep.equal([
      "BaseError",
      "InvalidParameterError",
      "WebhookInvalidError",
      "createMemorySeenStore",
      "dedupeKey",
      "expressWebhook",
      "fastifyWebhook",
      "fetchWebhook",
      "honoWebhook",
      "receiveWebhook",
      "signWebhook",
      "signatureHeader",
      "timestampHeader",
      "verifyWebhook",
    ]);
  });
});
