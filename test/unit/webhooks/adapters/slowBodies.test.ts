import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect } from "chai";
import type { Sleep } from "../../../../src/internal/sleep.ts";
import {
  fetchWebhook,
  honoWebhook,
  nodeWebhook,
  WebhookInvalidError,
} from "../../../../src/webhooks/index.ts";
import { eventBody, headersOf, stage } from "../support/delivery.ts";

/** A timer that the test ends; a finished read must let it go. */
function timer() {
  const waits: number[] = [];
  const state = { expire: () => {}, isFreed: false };
  const sleep: Sleep = (ms, signal) => {
    waits.push(ms);
    signal?.addEventListener("abort", () => {
      state.isFreed = true;
    });
    return new Promise((resolve) => {
      state.expire = resolve;
    });
  };
  return { sleep, state, waits };
}

describe("slow bodies of webhooks", () => {
  const body = eventBody();

  /** A body that trickles one byte and then stays open. */
  function trickle() {
    const seen = { cancelled: 0 };
    const stream = new ReadableStream<Uint8Array>({
      cancel: () => {
        seen.cancelled += 1;
      },
      start: (controller) => controller.enqueue(new Uint8Array([123])),
    });
    return { seen, stream };
  }

  for (const name of ["fetchWebhook", "honoWebhook"] as const) {
    it(`P11: ${name}: a body without an end gets 408 \`too_slow\`, is cancelled and reaches no handler`, async () => {
      const { errors, events, parameters } = stage();
      const { sleep, state, waits } = timer();
      const given = { ...parameters, bodyTimeout: 7_000, sleep };
      const handle = fetchWebhook(given);
      const handleHono = honoWebhook(given);
      const { seen, stream } = trickle();
      const request = new Request("http://app.test/webhook", {
        body: stream,
        duplex: "half",
        headers: await headersOf(body),
        method: "POST",
      } as RequestInit);
      const work = name === "fetchWebhook" ? handle(request) : handleHono({ req: { raw: request } });
      await new Promise((resolve) => setImmediate(resolve));
      state.expire();
      const answer = await work;
      expect([answer.status, await answer.json()]).to.deep.equal([
        408,
        { message: "Refused", reason: "too_slow" },
      ]);
      expect([waits, seen.cancelled, state.isFreed, events]).to.deep.equal([[7_000], 1, true, []]);
      expect(errors[0]).to.be.instanceOf(WebhookInvalidError).and.include({ reason: "too_slow" });
    });
  }

  it("P11: a body in time frees its timer, by default of ten seconds", async () => {
    const { events, parameters } = stage();
    const { sleep, state, waits } = timer();
    const request = new Request("http://app.test", { body, headers: await headersOf(body), method: "POST" });
    expect((await fetchWebhook({ ...parameters, sleep })(request)).status).to.equal(200);
    expect([waits, state.isFreed, events.length]).to.deep.equal([[10_000], true, 1]);
    state.expire();
  });

  it("P11: nodeWebhook: a trickle gets 408, and its connection is closed", async () => {
    const { errors, events, parameters } = stage();
    const { sleep, state } = timer();
    const server = createServer(nodeWebhook({ ...parameters, sleep })).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("error", () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n{`);
    await once(server, "request");
    await new Promise((resolve) => setImmediate(resolve));
    state.expire();
    await once(socket, "close");
    expect(text).to.match(/^HTTP\/1.1 408 [\s\S]*{"message":"Refused","reason":"too_slow"}/);
    expect([errors.length, events]).to.deep.equal([1, []]);
    await new Promise((resolve) => server.close(resolve));
  });
});
