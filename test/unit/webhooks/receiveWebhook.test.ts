import { expect } from "chai";
import {
  createMemorySeenStore,
  dedupeKey,
  expressWebhook,
  fetchWebhook,
  receiveWebhook,
  type WebhookAnswer,
  type WebhookHandlerParameters,
} from "../../../src/webhooks/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { eventBody, handled, headersOf, now, requestId, stage } from "./support/delivery.ts";

const body = eventBody();
const headers = headersOf(body);
const away = () => Promise.reject(new Error("store away"));

const [handledAnswer, seenAnswer, failedAnswer]: readonly WebhookAnswer[] = [
  { body: { message: "Handled" }, status: 200 },
  { body: { message: "Seen before" }, status: 200 },
  { body: { message: "Not handled" }, status: 500 },
];

/** The answer to a delivery of `text`. */
const deliver = (parameters: WebhookHandlerParameters, text = body) =>
  receiveWebhook(text, headersOf(text), parameters);

describe("receiveWebhook", () => {
  it("handles an event with its key and its time of sending, and answers 200", async () => {
    const handlings: unknown[] = [];
    const { parameters } = stage({ onEvent: (...given) => void handlings.push(given) });
    expect(await deliver(parameters)).to.deep.equal(handledAnswer);
    const event = JSON.parse(body);
    expect(handlings).to.deep.equal([[event, { dedupeKey: await dedupeKey(event), sentAt: now }]]);
  });

  for (const [parameter, value] of [
    ["onEvent", undefined],
    ["bodyTimeout", 0],
    ["sleep", 1],
    ["onError", "log"],
    ["seen.claim", { release: away }],
    ["seen.release", { claim: away }],
    ["seen.claim", null],
  ] as const) {
    it(`rejects ${parameter} that is none, given ${JSON.stringify(value)}`, async () => {
      const name = parameter.split(".")[0] ?? "";
      const error = await rejectionOf(deliver({ ...stage().parameters, [name]: value }));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
    });
  }

  it("answers the same without onError", async () => {
    const { parameters } = stage({ onError: undefined, seen: { claim: away, release: away } });
    expect((await receiveWebhook(body, {}, parameters)).status).to.equal(400);
    expect(await deliver(parameters)).to.deep.equal(failedAnswer);
    const failing = { ...parameters, onEvent: away };
    expect(await deliver({ ...failing, seen: undefined })).to.deep.equal(failedAnswer);
    expect(await deliver({ ...failing, seen: { claim: () => true, release: away } })).to.deep.equal(
      failedAnswer,
    );
  });

  for (const [raw, given, status, reason] of [
    [body, {}, 400, "missing_header"],
    [body, headersOf(body, { key: "x" }), 401, "no_match"],
    [body, headersOf(body, { timestamp: "1" }), 401, "stale"],
    ["x".repeat(2_000_000), headers, 413, "too_long"],
    [{} as string, headers, 400, "parsed_body"],
  ] as const) {
    // @spec webhook/reject
    it(`answers ${status} for ${reason}, and handles nothing`, async () => {
      const { errors, events, parameters } = stage();
      const answer = await receiveWebhook(raw, given, parameters);
      expect([answer.status, answer.body.reason]).to.deep.equal([status, reason]);
      expect(errors).to.have.length(1);
      expect(events).to.deep.equal([]);
    });
  }

  it("handles an event once however often it is delivered, in any order", async () => {
    const { events, parameters } = stage({ seen: createMemorySeenStore() });
    const later = eventBody({ status: "refund", updatedAt: now + 1 });
    const answers = [];
    for (const text of [body, later, body, later]) answers.push(await deliver(parameters, text));
    expect(answers).to.deep.equal([handledAnswer, handledAnswer, seenAnswer, seenAnswer]);
    expect(events).to.deep.equal([handled, `${requestId} refund`]);
  });

  it("handles an event once when it is delivered twice at the same time", async () => {
    const { events, parameters } = stage({ seen: createMemorySeenStore() });
    await Promise.all(Array.from({ length: 10 }, () => deliver(parameters)));
    expect(events).to.deep.equal([handled]);
  });

  it("accepts an event again whose handling failed", async () => {
    const onEvent = () => {
      throw new Error("database away");
    };
    const { errors, events, parameters } = stage({ seen: createMemorySeenStore() });
    expect(await deliver({ ...parameters, onEvent })).to.deep.equal(failedAnswer);
    expect(String(errors[0])).to.include("database away");
    expect(await deliver(parameters)).to.deep.equal(handledAnswer);
    expect(events).to.deep.equal([handled]);
  });

  it("answers 500 when the store cannot claim, so that the event comes again", async () => {
    const { errors, events, parameters } = stage({ seen: { claim: away, release: away } });
    expect(await deliver(parameters)).to.deep.equal(failedAnswer);
    expect([errors.length, events]).to.deep.equal([1, []]);
  });

  it("answers 500 when the handler fails and the store cannot release", async () => {
    const { errors, parameters } = stage({ onEvent: away, seen: { claim: () => true, release: away } });
    expect(await deliver(parameters)).to.deep.equal(failedAnswer);
    expect(errors).to.have.length(2);
  });
});

describe("fetchWebhook", () => {
  it("reads no more of a body than can be a webhook", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        sent += 65_536;
        stream.enqueue(new Uint8Array(65_536));
      },
    });
    const init = { body: endless, duplex: "half", headers, method: "POST" } as RequestInit;
    const answer = await fetchWebhook(stage().parameters)(new Request("https://app.test", init));
    expect(answer.status).to.equal(413);
    expect(sent).to.be.lessThan(2_000_000);
  });

  it("answers 405 to a GET, and 400 to a POST without a body", async () => {
    const handler = fetchWebhook(stage().parameters);
    expect((await handler(new Request("https://app.test"))).status).to.equal(405);
    expect((await handler(new Request("https://app.test", { method: "POST" }))).status).to.equal(400);
  });
});

describe("expressWebhook", () => {
  it("passes an error about its parameters to the next handler", async () => {
    const passed: unknown[] = [];
    const response = { json: () => undefined, status: () => response };
    const handler = expressWebhook(stage({ secrets: [] }).parameters);
    await handler({ body, headers }, response, (error) => passed.push(error));
    expect(passed[0]).to.have.property("parameter", "secrets");
  });
});

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

  it("evicts the key that was claimed longest ago, once there are maxKeys", () => {
    let time = now;
    const store = createMemorySeenStore({ maxKeys: 2, now: () => time, ttlSeconds: 10 });
    const claim = (...keys: readonly string[]) => keys.map(store.claim);
    expect(claim("a", "b", "a", "b")).to.deep.equal([true, true, false, false]);
    time += 10_000;
    expect(claim("a", "c")).to.deep.equal([true, true]);
    expect(claim("a", "c", "b", "c", "a")).to.deep.equal([false, false, true, false, true]);
  });

  for (const [parameter, value] of [
    ["now", 1],
    ["maxKeys", 0],
    ["ttlSeconds", 0],
  ] as const) {
    it(`rejects a ${parameter} of ${value}`, () => {
      const create = () => createMemorySeenStore({ [parameter]: value } as object);
      expect(create).to.throw().with.property("parameter", parameter);
    });
  }
});
