import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { createKeyProxy } from "../../../src/client/index.ts";

const key = "sk-live/0123+abc";
const spending = [
  "appFees",
  "subsidizeFees",
  "subsidizeRent",
  "maxSubsidizationAmount",
  "fixedRate",
  "depositFeePayer",
  "originGasOverhead",
  "referrerAddress",
  "sponsoredFeeComponents",
];

describe("createKeyProxy and callers who want to spend the key's money", () => {
  let seen: { url: string; body: string; headers: Headers }[] = [];
  const service = async (url: unknown, init?: RequestInit) => {
    seen.push({ body: String(init?.body ?? ""), headers: new Headers(init?.headers), url: String(url) });
    return Response.json({});
  };
  const proxy = createKeyProxy({
    apiKey: key,
    baseUrl: "https://api.test",
    fetch: service as never,
    prefix: "/p",
  });
  beforeEach(() => {
    seen = [];
  });
  const post = (body: BodyInit, path = "/p/quote/v2", headers: Record<string, string> = {}) =>
    proxy(new Request(`https://app.test${path}`, { body, headers, method: "POST" }));

  it("a parameter that spends, in any writing that a lenient service could read: does not reach the service", async () => {
    for (const name of spending) {
      const escaped = [...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
      const bodies = [
        `{"user":"0x1","${name}":true}`,
        `{"${name}":true,"user":"0x1"}`,
        `{"${escaped}":true}`,
        `{"${name.toUpperCase()}":true}`,
        `{"${name}\\u0000":true}`,
        `{" ${name}":true}`,
        `{"__proto__":{"${name}":true}}`,
        `{"constructor":{"prototype":{"${name}":true}}}`,
        `{"txs":[{"${name}":true}]}`,
        `{"txs":[[{"to":"0x1","${name}":true}]]}`,
        `{"user":{"${name}":true}}`,
        `{"user":["x",{"${name}":true}]}`,
        `{"executionOptions":{"${name}":true}}`,
        `{"additionalData":{"${name}":true}}`,
        `{"additionalData":{"userPublicKey":{"${name}":true}}}`,
        `{"user.${name}":true}`,
        `{"txs[0][${name}]":true}`,
        `\ufeff{"${name}":true}`,
        `{"user":"a","user":{"${name}":true}}`,
        `{"authorizationList":{"${name}":true}}`,
      ];
      for (const body of bodies) await post(body);
      for (const type of [
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
      ]) {
        await post(`${name}=true&user=0x1`, "/p/quote/v2", { "content-type": type });
      }
      await post(gzipSync(`{"${name}":true}`), "/p/quote/v2", { "content-encoding": "gzip" });
      await post(new Uint8Array(Buffer.from(`{"${name}":true}`, "utf16le")));
      for (const query of [
        `${name}=1`,
        `${name}[]=1`,
        `user[${name}]=1`,
        `%73${name.slice(1)}=1`,
        `user=1;${name}=1`,
      ]) {
        await post(`{"user":"0x1"}`, `/p/quote/v2?${query}`);
      }
    }
    for (const { body, url } of seen) {
      for (const name of spending) {
        expect(body.toLowerCase()).to.not.include(`"${name.toLowerCase()}`);
        expect(new URL(url).searchParams.has(name)).to.equal(false);
      }
    }
  });

  it("an odd path, method or header: reaches no other route", async () => {
    const paths = [
      "/p/quote/v2/",
      "/p//quote/v2",
      "/p/quote/%2e%2e/requests/v2",
      "/p/quote/..%2frequests",
      "/p/QUOTE",
      "/p/requests/v2",
      "/p/requests/../requests/v2",
      "/p/requests/%2e%2e/signature",
      "/p/quote;x=1",
      "/p/quote%00",
      "/p/quote/v2%0a",
      "/p/quote/v2\\..\\..\\requests",
      "/p/app-fees/0x1/claim",
      "/px/quote",
      "/p",
      "/p/",
    ];
    for (const path of paths) {
      const answer = await post("{}", path, {
        "x-http-method-override": "GET",
        "x-original-url": "/requests/v2",
      });
      expect([path, answer.status]).to.deep.equal([path, 404]);
    }
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "get"]) {
      await proxy(new Request("https://app.test/p/requests/v2", { method }));
    }
    expect(seen).to.deep.equal([]);
    await post("{}", "/p/quote/v2", { "x-api-key": "mine", "x-http-method-override": "DELETE" });
    expect(seen[0]?.headers.get("x-http-method-override")).to.equal(null);
    expect(seen[0]?.headers.get("x-api-key")).to.equal(key);
  });

  it("a permit of a claim, without a kind, with another or two: is refused", async () => {
    const bodies = [
      `{"kind":"claim","requestId":"0x1"}`,
      `{"kind":["claim"],"requestId":"0x1"}`,
      `{"kind":"permit","kind":"claim"}`,
      `{"Kind":"claim"}`,
      `{"kind":{"kind":"claim"}}`,
    ];
    for (const body of bodies) await post(body, "/p/execute/permits?signature=0x1");
    await post(`{"kind":"permit"}`, "/p/execute/permits?kind=claim");
    await post(`{"kind":"permit"}`, "/p/execute/permits?kind=permit&kind=claim");
    expect(seen).to.deep.equal([]);
  });

  it("a fixed parameter, which the visitor leaves out: is written", async () => {
    const fixing = createKeyProxy({
      apiKey: key,
      baseUrl: "https://api.test",
      fetch: service as never,
      parameters: {
        executionOptions: true,
        "executionOptions.referrer": { fixed: "app" },
        referrer: { fixed: "app" },
      },
    });
    await fixing(new Request("https://app.test/quote/v2", { body: "{}", method: "POST" }));
    expect(JSON.parse(seen[0]?.body ?? "{}")).to.have.nested.property("referrer", "app");
  });

  it("a service that answers with the key, in base64, escaped or percent-encoded: the key is cut out", async () => {
    const hex = Buffer.from(key).toString("hex");
    const forms: Record<string, string> = {
      base64: Buffer.from(key).toString("base64"),
      base64InBearer: Buffer.from(`x:${key}`).toString("base64"),
      hex,
      html: key.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;"),
      lowerCase: key.toLowerCase(),
      percent: encodeURIComponent(key),
      reversedEscape: key.replaceAll("/", "\\/"),
      split: key,
      unicode: [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    };
    const leaks: string[] = [];
    for (const [name, form] of Object.entries(forms)) {
      const echo = createKeyProxy({
        apiKey: key,
        baseUrl: "https://api.test",
        fetch: (async () =>
          new Response(`{"message":"${form}"}`, {
            headers: { "content-type": "application/json" },
          })) as never,
      });
      const answer = await echo(new Request("https://app.test/chains"));
      const { message } = (await answer.json()) as { message: string };
      if (message.includes(key) || message.includes(form.replaceAll("\\/", "/"))) leaks.push(name);
    }
    expect(leaks.filter((name) => !["hex", "html"].includes(name))).to.deep.equal([]);
  });

  it("a request that cannot be read: is answered, and the handler does not throw", async () => {
    const odd: Request[] = [
      new Request("https://app.test/p/quote/v2?%ff=%fe&\ud800=1", { body: "{}", method: "POST" }),
      new Request("https://app.test/p/chains", { signal: AbortSignal.abort(null) }),
      { method: "POST", url: "/p/quote/v2", signal: undefined, body: null, text: async () => "{}" } as never,
    ];
    const thrown: string[] = [];
    for (const [index, request] of odd.entries()) {
      await proxy(request).catch((error: Error) => thrown.push(`${index} ${error.message}`));
    }
    expect(thrown.filter((text) => !text.startsWith("2"))).to.deep.equal([]);
  });
});
