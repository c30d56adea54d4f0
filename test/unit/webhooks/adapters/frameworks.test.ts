import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  honoWebhook,
  nodeWebhook,
  type WebhookHandlerParameters,
} from "../../../../src/webhooks/index.ts";
import { eventBody, handled, headersOf, stage } from "../support/delivery.ts";

/** Posts a body unchanged: `fetch` adds nothing to bytes. */
type Post = (body: string, headers: Record<string, string>, path?: string) => Promise<Response>;

type Server = { close: () => unknown; post: Post };

/** Servers on loopback, and applications in this process. A framework that parses bodies does so at `/parsed`. */
const frameworks: Record<
  string,
  { parses: boolean; start: (parameters: WebhookHandlerParameters) => Server | Promise<Server> }
> = {
  Express: {
    parses: true,
    start: async (parameters) => {
      const app = express();
      app.post("/webhook", express.raw({ limit: "2mb", type: () => true }), expressWebhook(parameters));
      app.post("/parsed", express.json(), expressWebhook(parameters));
      const server = app.listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      return {
        close: () => new Promise((resolve) => server.close(resolve)),
        post: poster(`http://127.0.0.1:${port}`, fetch),
      };
    },
  },
  Fastify: {
    parses: true,
    start: async (parameters) => {
      const app = fastify({ bodyLimit: 2_000_000 });
      app.post("/parsed", fastifyWebhook(parameters));
      app.register(async (scope) => {
        scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
          done(null, body),
        );
        scope.post("/webhook", fastifyWebhook(parameters));
      });
      const origin = await app.listen({ host: "127.0.0.1", port: 0 });
      return { close: () => app.close(), post: poster(origin, fetch) };
    },
  },
  Hono: {
    parses: false,
    start: (parameters) => {
      const app = new Hono().post("/webhook", honoWebhook(parameters));
      return {
        close: () => undefined,
        post: poster("https://app.test", async (request) => app.fetch(request)),
      };
    },
  },
  "node:http": {
    parses: false,
    start: async (parameters) => {
      const server = createServer(nodeWebhook(parameters)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      return {
        close: () => new Promise((resolve) => server.close(resolve)),
        post: poster(`http://127.0.0.1:${port}`, fetch),
      };
    },
  },
  "fetch handlers": {
    parses: false,
    start: (parameters) => ({
      close: () => undefined,
      post: poster("https://app.test", fetchWebhook(parameters)),
    }),
  },
};

function poster(origin: string, send: (request: Request) => Promise<Response>): Post {
  return (body, headers, path = "/webhook") =>
    send(
      new Request(`${origin}${path}`, {
        body,
        headers: { "content-type": "application/json", connection: "close", ...headers },
        method: "POST",
      }),
    );
}

const body = eventBody();
const headers = headersOf(body);

for (const [name, { parses, start }] of Object.entries(frameworks)) {
  describe(`a webhook at a server of ${name}`, () => {
    let failing = false;
    const { errors, events, parameters } = stage();
    const onEvent: typeof parameters.onEvent = (event, delivery) => {
      if (failing) throw new Error("database away");
      return parameters.onEvent(event, delivery);
    };
    let server: Server;

    before(async () => {
      server = await start({ ...parameters, onEvent });
    });
    beforeEach(() => {
      failing = false;
      events.length = 0;
      errors.length = 0;
    });
    after(() => server.close());

    const answered = async (posted: Promise<Response>) => {
      const answer = await posted;
      return [answer.status, await answer.json()];
    };

    it("is verified over the bytes that came, white space and all, and handled", async () => {
      const answer = await answered(server.post(body, headers));
      expect(answer).to.deep.equal([200, { message: "Handled" }]);
      expect(events).to.deep.equal([handled]);
    });

    for (const [what, status, reason, text, given] of [
      ["one byte differs", 401, "no_match", `${body} `, headers],
      ["it is not signed", 400, "missing_header", body, {}],
      ["it is old", 401, "stale", body, headersOf(body, { timestamp: "1600000000" })],
    ] as const) {
      it(`is refused when ${what}`, async () => {
        const answer = await answered(server.post(text, given));
        expect(answer).to.deep.equal([status, { message: "Refused", reason }]);
        expect(events).to.deep.equal([]);
      });
    }

    if (parses) {
      it("is refused with the reason where the framework parsed it", async () => {
        const answer = await answered(server.post(body, headers, "/parsed"));
        expect(answer).to.deep.equal([400, { message: "Refused", reason: "parsed_body" }]);
        expect(events).to.deep.equal([]);
      });
    }

    it("is refused when it is longer than a webhook, and when it is empty", async () => {
      const long = "x".repeat(1_048_577);
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
