import { connect } from "node:net";
import { expect } from "chai";
import fc from "fast-check";
import { Hono } from "hono";
import * as z from "zod";
import { textAnswer } from "../../../../emulator/http/body/jsonAnswer.ts";
import { readBody } from "../../../../emulator/http/body/readBody.ts";
import { allowOrigins } from "../../../../emulator/http/createApp.ts";
import { bucketOf, limitOf } from "../../../../emulator/http/middleware/rateLimits.ts";
import { compileSchema } from "../../../../emulator/http/route/Route.ts";
import { listen } from "../../../../emulator/http/serving/listen.ts";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { pause, until } from "../support/waiting.ts";

const value = { amount: "1", text: "é – 漢字 😀", nothing: null };

function makeApp(cors: true | readonly string[] = true): Hono {
  const app = new Hono();
  app.use(allowOrigins(cors));
  app.get("/answer", (http) => {
    http.header("Deprecation", "@1");
    return textAnswer(http, JSON.stringify(value));
  });
  app.get("/broken", (http) => {
    textAnswer(http, JSON.stringify(value));
    throw new Error("after the answer was made");
  });
  app.onError((_, http) => http.json({ message: "went wrong" }, 500));
  return app;
}

async function withServer(app: Hono, run: (url: string) => Promise<void>): Promise<void> {
  const upgrades = { close: async () => {}, upgrade: () => undefined };
  const server = await listen(app.fetch, { hostname: "127.0.0.1", log: () => {}, port: 0, upgrades });
  try {
    await run(server.url);
  } finally {
    await server.close();
  }
}

describe("textAnswer", () => {
  it("an answer over a connection: has its length in bytes, its type and the headers set before", async () => {
    await withServer(makeApp(), async (url) => {
      const answer = await fetch(`${url}/answer`, { headers: { origin: "https://app.example" } });
      const text = await answer.text();
      expect(answer.status).to.equal(200);
      expect(JSON.parse(text)).to.deep.equal(value);
      expect(answer.headers.get("content-length")).to.equal(String(Buffer.byteLength(JSON.stringify(value))));
      expect(answer.headers.get("content-type")).to.equal("application/json");
      expect(answer.headers.get("deprecation")).to.equal("@1");
      expect(answer.headers.get("access-control-allow-origin")).to.equal("*");
    });
  });

  it("an error after the answer was made: is answered in its place", async () => {
    await withServer(makeApp(), async (url) => {
      const answer = await fetch(`${url}/broken`);
      expect(answer.status).to.equal(500);
      expect(await answer.json()).to.deep.equal({ message: "went wrong" });
    });
  });
});

/** The text of a body, or the name of the error. */
type Outcome = { readonly text: string } | { readonly error: string };

/** Runs with a server that pauses, then reads the body of `POST /`. */
async function withReader(
  pauseMs: number,
  run: (url: URL, outcomes: Outcome[]) => Promise<void>,
): Promise<void> {
  const outcomes: Outcome[] = [];
  const app = new Hono();
  app.post("/", async (http) => {
    await pause(pauseMs);
    try {
      outcomes.push({ text: await readBody(http) });
    } catch (error) {
      outcomes.push({ error: (error as Error).name });
    }
    return http.text("read");
  });
  const upgrades = { close: async () => {}, upgrade: () => undefined };
  const server = await listen(app.fetch, { hostname: "127.0.0.1", log: () => {}, port: 0, upgrades });
  try {
    await run(new URL(server.url), outcomes);
  } finally {
    await server.close();
  }
}

/** Sends the head of a request and pieces of its body, each in its own packet. */
async function send(url: URL, length: number, pieces: readonly Buffer[]) {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${length}\r\n\r\n`);
  for (const piece of pieces) {
    await pause(20);
    socket.write(piece);
  }
  return socket;
}

describe("readBody", () => {
  it("a body in pieces of one byte: is joined, characters of several bytes included", async () => {
    await withReader(0, async (url, outcomes) => {
      const bytes = Buffer.from("é – 漢字 😀");
      const socket = await send(
        url,
        bytes.byteLength,
        [...bytes].map((byte) => Buffer.of(byte)),
      );
      await until(() => outcomes.length === 1);
      socket.destroy();
      expect(outcomes).to.deep.equal([{ text: "é – 漢字 😀" }]);
    });
  });

  for (const [name, pauseMs] of [
    ["during the read", 0],
    ["before the read", 100],
  ] as const) {
    it(`a client that disconnects ${name}: rejects with BodyAbortedError`, async () => {
      await withReader(pauseMs, async (url, outcomes) => {
        const socket = await send(url, 10, [Buffer.from("half")]);
        await pause(20);
        socket.destroy();
        await until(() => outcomes.length === 1);
        expect(outcomes).to.deep.equal([{ error: "BodyAbortedError" }]);
      });
    });
  }
});

describe("rateLimits", () => {
  const elevated = { isElevated: true };
  const august = Date.UTC(2026, 7, 31);

  it("paths: belong to the bucket of their endpoint; pages and administration to none", () => {
    for (const [path, bucket] of [
      ["/quote/v2", "quote"],
      ["/quote", "quote"],
      ["/requests/v2", "requests"],
      ["/requests/v3", "requests-v3"],
      ["/requests/0x01/signature", "other"],
      ["/intents/status/v3", "other"],
      ["/chains", "other"],
      ["/admin/requests/0x01/events", undefined],
      ["/console", undefined],
    ] as const) {
      expect(bucketOf(path), path).to.equal(bucket);
    }
  });

  const [minute, second] = [60_000, 1_000];
  // Requests without a key, with an ordinary one and with an elevated one.
  for (const [bucket, anonymous, ordinary, high, highWindowMs] of [
    ["quote", 50, 50, 10, second],
    ["requests-v3", 200, 200, 20, second],
    ["requests", 100, 200, 10, second],
    ["transactions-status", 200, 200, 200, minute],
    ["other", 200, 200, 200, minute],
  ] as const) {
    // @spec auth/requests-v2
    it(`${bucket}: ${anonymous} requests a minute without a key, ${ordinary} with one, ${high} with an elevated one`, () => {
      expect(limitOf(bucket, undefined, august)).to.deep.equal({ requests: anonymous, windowMs: minute });
      expect(limitOf(bucket, { isElevated: false }, august)).to.deep.equal({
        requests: ordinary,
        windowMs: minute,
      });
      expect(limitOf(bucket, elevated, august)).to.deep.equal({ requests: high, windowMs: highWindowMs });
    });
  }

  for (const [month, now, anonymous, ordinary, high] of [
    ["August", Date.UTC(2026, 7, 31, 23, 59), 100, 200, 10],
    ["September", Date.UTC(2026, 8, 1), 50, 100, 5],
    ["October", Date.UTC(2026, 9, 1), 25, 50, 2],
    ["November", Date.UTC(2026, 10, 1), 12, 25, 1],
  ] as const) {
    // @spec version/v2-throttled
    it(`the retired listing in ${month} 2026: ${anonymous}, ${ordinary} and ${high} requests; its successor stays`, () => {
      expect(limitOf("requests", undefined, now).requests).to.equal(anonymous);
      expect(limitOf("requests", { isElevated: false }, now).requests).to.equal(ordinary);
      expect(limitOf("requests", elevated, now).requests).to.equal(high);
      expect(limitOf("requests-v3", undefined, now).requests).to.equal(200);
    });
  }
});

const zero = `0x${"00".repeat(20)}`;

const valid = {
  amount: "1",
  appFees: [{ fee: "10", recipient: zero }],
  destinationChainId: 31338,
  destinationCurrency: zero,
  originChainId: 31337,
  originCurrency: zero,
  tradeType: "EXACT_INPUT",
  txs: [{ data: "0x", to: zero, value: "1" }],
  unknown: { kept: true },
  user: zero,
};

/** Outcome of a parse as a caller sees it. */
function outcomeOf(schema: z.core.$ZodType, value: unknown) {
  const { data, error, success } = z.safeParse(schema, value);
  return success ? { json: JSON.stringify(data) } : { issues: error.issues };
}

describe("compileSchema", () => {
  const compiled = compileSchema(quoteRequestSchema);

  it("random changes of a quote request: are refused with the same issues in the same order", () => {
    const names = Object.keys(quoteRequestSchema.def.shape);
    const oddValue = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant("-1"), fc.constant(zero));
    const changes = fc.dictionary(fc.constantFrom(...names, "__proto__", "toString"), oddValue, {
      maxKeys: 6,
    });
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(changes, fc.jsonValue()), (change) => {
        const isChange = typeof change === "object" && change !== null && !Array.isArray(change);
        for (const value of [change, ...(isChange ? [{ ...valid, ...change }] : [])]) {
          const outcome = outcomeOf(quoteRequestSchema, value);
          expect(outcomeOf(compiled, value)).to.deep.equal(outcome);
          if ("issues" in outcome) refused++;
        }
      }),
      { numRuns: 500 },
    );
    expect(refused).to.be.greaterThan(100);
  });
});
