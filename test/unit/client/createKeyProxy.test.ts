import { expect } from "chai";
import fc from "fast-check";
import {
  createClient,
  createKeyProxy,
  defaultProxyRoutes,
  getChains,
  HttpError,
} from "../../../src/client/index.ts";
import { rejectionOf } from "./support/fakeService.ts";
import { requestId } from "./support/samples.ts";

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
    expect([...answer.headers.keys()]).to.deep.equal(["content-type"]);
    const headers = Object.fromEntries(new Headers(calls[0]?.init.headers));
    expect(headers).to.deep.equal({
      accept: "application/json",
      "content-type": "application/json",
      "x-api-key": apiKey,
    });
    expect(calls[0]?.url).to.equal("http://service.test/v/quote/v2?a=1");
    expect(calls[0]?.init).to.include({ body: '{"amount":"1"}', method: "POST", redirect: "manual" });
  });

  it("cuts the key out of whatever the service says, as text and as JSON", async () => {
    const echo = () =>
      new Response(`${JSON.stringify({ message: `key ${apiKey}` })} ${apiKey}`, {
        headers: { "content-type": "application/json", link: `<x?key=${apiKey}>` },
        status: 401,
      });
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
      expect(() => createKeyProxy({ apiKey: key })).to.throw("`apiKey` is invalid");
    }
    expect(() => createKeyProxy({ apiKey, baseUrl: "ftp://x" })).to.throw("`baseUrl` is invalid");
    expect(() => createKeyProxy({ apiKey, prefix: "/api/" })).to.throw("`prefix` is invalid");
    for (const route of ["chains", "GET chains", "DELETE /chains", "GET /a b", "GET /a?b=1"]) {
      expect(() => createKeyProxy({ apiKey, routes: [route] })).to.throw("`routes` is invalid");
    }
  });
});
