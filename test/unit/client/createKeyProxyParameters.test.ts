import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { createKeyProxy, defaultProxyRoutes } from "../../../src/client/index.ts";
import { quoteRequestSchema } from "../../../src/schema/quote/quoteRequest.ts";
import { stage } from "./support/keyProxy.ts";

describe("createKeyProxy with rules for parameters", () => {
  const post = (body: object) => ({ body: JSON.stringify(body), method: "POST" });
  const sent = ({ calls }: ReturnType<typeof stage>) =>
    calls.map(({ init }) => JSON.parse(String(init.body)));
  const refused = [
    ...["appFees", "depositFeePayer", "fixedRate", "maxSubsidizationAmount", "originGasOverhead"],
    ...["referrerAddress", "sponsoredFeeComponents", "subsidizeFees", "subsidizeRent"],
  ];

  it("P2: forwards each documented parameter of a quote but those that spend or name a payee or payer", async () => {
    const { call, calls, statusOf } = stage();
    for (const name of Object.keys(quoteRequestSchema.shape)) {
      const status = await statusOf("/quote/v2", post({ [name]: "1" }));
      expect(status, name).to.equal(refused.includes(name) ? 403 : 200);
    }
    expect(calls).to.have.length(Object.keys(quoteRequestSchema.shape).length - refused.length);
    const parameter = "a\u202e".repeat(99);
    const answer = await call("/quote/v2", post({ [parameter]: 1 }));
    expect((await answer.text()).length).to.be.lessThan(500);
  });

  it("P2: `true` and a function cover all inside their parameter; another result refuses", async () => {
    const staged = stage(undefined, {
      parameters: {
        appFees: true,
        maxSubsidizationAmount: (cap) => BigInt(String(cap)) <= 5n,
        referrerAddress: (() => "yes") as never,
        txs: (txs) => (txs as unknown[]).length < 2,
      },
    });
    const { statusOf } = staged;
    const appFees = [{ fee: "1", more: { of: "it" }, recipient: "0x01" }];
    expect(await statusOf("/quote", post({ appFees, maxSubsidizationAmount: "5" }))).to.equal(200);
    expect(await statusOf("/quote", post({ maxSubsidizationAmount: "6" }))).to.equal(403);
    expect(await statusOf("/quote", post({ maxSubsidizationAmount: [] }))).to.equal(200);
    expect(await statusOf("/quote", post({ maxSubsidizationAmount: {} }))).to.equal(500);
    expect(await statusOf("/quote", post({ referrerAddress: "0x01" }))).to.equal(403);
    expect(await statusOf("/quote", post({ txs: [{}, {}] }))).to.equal(403);
    expect(sent(staged)[0]).to.deep.equal({ appFees, maxSubsidizationAmount: "5" });
  });

  it("P2: writes fixed values over the caller's, and into quotes and prices; no later change reaches them", async () => {
    const appFees = [{ fee: "10", recipient: "0x01" }];
    const staged = stage(undefined, {
      check: ({ body }) => {
        (body as { appFees?: unknown[] }).appFees?.push("mine");
        return undefined;
      },
      parameters: {
        appFees: { fixed: appFees },
        "executionOptions.subsidizeFees": { fixed: false },
        executionOptions: true,
        referrer: { fixed: "app" },
      },
      routes: [...defaultProxyRoutes, "POST /execute"],
    });
    appFees.length = 0;
    await staged.statusOf("/quote/v2?referrer=me", post({ appFees: [], referrer: "me" }));
    await staged.statusOf("/price", post({}));
    await staged.statusOf("/transactions/index", post({ referrer: "me", txHash: "0x01" }));
    await staged.statusOf("/transactions/index", post({ txHash: "0x01" }));
    await staged.statusOf("/execute", post({ executionOptions: { more: 1, subsidizeFees: true } }));
    const fixed = { appFees: [{ fee: "10", recipient: "0x01" }], referrer: "app" };
    expect(sent(staged)).to.deep.equal([
      ...[fixed, fixed],
      ...[{ referrer: "app", txHash: "0x01" }, { txHash: "0x01" }],
      { executionOptions: { more: 1, subsidizeFees: false } },
    ]);
    expect(staged.calls[0]?.url).to.match(/\?referrer=app$/);
  });

  it("P2: one value of a repeated query name is checked and forwarded", async () => {
    const { calls, statusOf } = stage(undefined, {
      check: ({ query }) => (query.get("requestId") === "b" ? undefined : "another request"),
    });
    expect(await statusOf("/intents/status/v3?requestId=a&requestId=b")).to.equal(200);
    expect(await statusOf("/intents/status/v3?requestId=b&requestId=a")).to.equal(400);
    expect(calls.map(({ url }) => url)).to.deep.equal([
      "https://service.test/v/intents/status/v3?requestId=b",
    ]);
  });
});

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
      await post(new Uint8Array(gzipSync(`{"${name}":true}`)), "/p/quote/v2", { "content-encoding": "gzip" });
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
});
