import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express from "express";
import fastify from "fastify";
import {
  expressWebhook,
  fastifyWebhook,
  type WebhookHandlerParameters,
} from "../../../src/webhooks/index.ts";
import { eventBody, headersOf, now, requestId, secret } from "./support/delivery.ts";

/** Posts a body as it is: `fetch` adds nothing to bytes. */
type Post = (body: string | Uint8Array, headers: Record<string, string>) => Promise<Response>;

type Server = { close: () => Promise<unknown>; post: Post };

/** A real server of a framework on loopback, and where it is. */
const frameworks: Record<string, (parameters: WebhookHandlerParameters) => Promise<Server>> = {
  Express: async (parameters) => {
    const app = express();
    app.post("/webhook", express.raw({ limit: "2mb", type: () => true }), expressWebhook(parameters));
    app.post("/parsed", express.json(), expressWebhook(parameters));
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      close: () => new Promise((resolve) => server.close(resolve)),
      post: poster(`http://127.0.0.1:${port}`),
    };
  },
  Fastify: async (parameters) => {
    const app = fastify({ bodyLimit: 2_000_000 });
    app.post("/parsed", fastifyWebhook(parameters));
    app.register(async (scope) => {
      scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
        done(null, body),
      );
      scope.post("/webhook", fastifyWebhook(parameters));
    });
    return { close: () => app.close(), post: poster(await app.listen({ host: "127.0.0.1", port: 0 })) };
  },
};

function poster(origin: string): Post {
  return (body, { path = "/webhook", ...headers }) =>
    fetch(`${origin}${path}`, {
      body: typeof body === "string" ? body : new Uint8Array(body),
      headers: { "content-type": "application/json", connection: "close", ...headers },
      method: "POST",
    });
}

const body = eventBody();
const headers = headersOf(body);

for (const [name, start] of Object.entries(frameworks)) {
  describe(`a webhook at a server of ${name}`, () => {
    const events: string[] = [];
    const errors: unknown[] = [];
    let server: Server;
    let failing = false;

    before(async () => {
      server = await start({
        now: () => now,
        onError: (error) => errors.push(error),
        onEvent: ({ data }) => {
          if (failing) throw new Error("database away");
          events.push(`${data.requestId} ${data.status}`);
        },
        secrets: [secret],
      });
    });
    beforeEach(() => {
      failing = false;
      events.length = 0;
      errors.length = 0;
    });
    after(() => server.close());

    it("is verified over the bytes that came, white space and all, and handled", async () => {
      const answer = await server.post(body, headers);
      expect([answer.status, await answer.json()]).to.deep.equal([200, { message: "Handled" }]);
      expect(events).to.deep.equal([`${requestId} success`]);
    });

    it("is verified over bytes beyond ASCII", async () => {
      const text = eventBody({ referrer: "Zoë ✓ \u{1f44b}" });
      expect((await server.post(text, headersOf(text))).status).to.equal(200);
      expect(events).to.have.length(1);
    });

    it("is refused when one byte differs, when it is not signed, and when it is old", async () => {
      const answers = [
        await server.post(`${body} `, headers),
        await server.post(body, {}),
        await server.post(body, headersOf(body, { timestamp: "1700000000" })),
        await server.post(body, headersOf(body, { timestamp: "1600000000" })),
      ];
      const seen = await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]));
      expect(seen).to.deep.equal([
        [401, { message: "Refused", reason: "no_match" }],
        [400, { message: "Refused", reason: "missing_header" }],
        [200, { message: "Handled" }],
        [401, { message: "Refused", reason: "stale" }],
      ]);
      expect(events).to.have.length(1);
    });

    it("is refused with the reason where the framework parsed it", async () => {
      const answer = await server.post(body, { ...headers, path: "/parsed" });
      expect([answer.status, await answer.json()]).to.deep.equal([
        400,
        { message: "Refused", reason: "parsed_body" },
      ]);
      expect(events).to.deep.equal([]);
    });

    it("is refused when it is longer than a webhook, and when it is nothing", async () => {
      const long = "x".repeat(1_100_000);
      expect((await server.post(long, headersOf(long))).status).to.equal(413);
      expect((await server.post("", headersOf(""))).status).to.equal(400);
      expect(events).to.deep.equal([]);
    });

    it("is answered 500 when its handling fails, so that it comes again", async () => {
      failing = true;
      expect((await server.post(body, headers)).status).to.equal(500);
      expect(String(errors[0])).to.include("database away");
      failing = false;
      expect((await server.post(body, headers)).status).to.equal(200);
    });
  });
}
