import { expect } from "chai";
import { Hono } from "hono";
import { textAnswer } from "../../../../../emulator/http/body/jsonAnswer.ts";
import { allowOrigins } from "../../../../../emulator/http/createApp.ts";
import { listen } from "../../../../../emulator/http/serving/listen.ts";

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
  const upgrades = { close: async () => {}, upgrade: () => {} };
  const server = await listen(app.fetch, { hostname: "127.0.0.1", port: 0, upgrades });
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

  it("several requests on one connection, and a caller without one: get the same answer", async () => {
    const app = makeApp();
    await withServer(app, async (url) => {
      for (let i = 0; i < 3; i++) {
        expect(await (await fetch(`${url}/answer`)).json()).to.deep.equal(value);
      }
    });
    const direct = await app.request("/answer");
    expect(await direct.json()).to.deep.equal(value);
    expect(direct.headers.get("content-type")).to.equal("application/json");
    expect(direct.headers.get("access-control-allow-origin")).to.equal("*");
  });

  it("an error after the answer was made: is answered in its place", async () => {
    await withServer(makeApp(), async (url) => {
      const answer = await fetch(`${url}/broken`);
      expect(answer.status).to.equal(500);
      expect(await answer.json()).to.deep.equal({ message: "went wrong" });
    });
  });

  it("one allowed origin: is named in the answer to it, and no other origin is", async () => {
    await withServer(makeApp(["https://app.example"]), async (url) => {
      const allowed = await fetch(`${url}/answer`, { headers: { origin: "https://app.example" } });
      expect(allowed.headers.get("access-control-allow-origin")).to.equal("https://app.example");
      expect(allowed.headers.get("vary")).to.equal("Origin");
      expect(await allowed.json()).to.deep.equal(value);
      const other = await fetch(`${url}/answer`, { headers: { origin: "https://other.example" } });
      expect(other.headers.get("access-control-allow-origin")).to.equal(null);
    });
  });

  it("a preflight request: names the allowed headers and methods", async () => {
    await withServer(makeApp(), async (url) => {
      const answer = await fetch(`${url}/answer`, {
        headers: { "access-control-request-headers": "x-api-key", origin: "https://app.example" },
        method: "OPTIONS",
      });
      expect(answer.status).to.equal(204);
      expect(answer.headers.get("access-control-allow-origin")).to.equal("*");
      expect(answer.headers.get("access-control-allow-headers")).to.equal("x-api-key");
      expect(answer.headers.get("access-control-allow-methods")).to.include("POST");
    });
  });
});
