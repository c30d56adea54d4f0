import { expect } from "chai";
import { type Hex, parseEther, zeroAddress } from "viem";
import { allRoutes } from "../../../emulator/http/createApp.ts";
import type { ApiKey } from "../../../emulator/keys/openApiKeys.ts";
import { writeExamples } from "../../../scripts/openapi/examples.ts";
import { idleDeps } from "../../../scripts/openapi/idleDeps.ts";
import type { OpenApiDocument } from "../../../scripts/openapi/OpenApiDocument.ts";
import { createClient, type Quote } from "../../../src/client/index.ts";
import { findUnknown } from "../../../src/schema/wire/findUnknown.ts";
import { earn } from "../../helpers/appFees/claims.ts";
import { clockFrom } from "../../helpers/clockFrom.ts";
import { type EmulatorFixture, startFixture } from "../../helpers/emulatorFixture.ts";
import { type AnswerRecorder, recordAnswers } from "../../helpers/openapi/documentedAnswers.ts";
import { refusedCalls } from "../../helpers/openapi/refusedCalls.ts";
import { everySearch } from "../../helpers/openapi/searches.ts";
import { type SentRequest, sendWithKeys } from "../../helpers/openapi/sendWithKeys.ts";
import { callExchange } from "../../helpers/perps.ts";
import { gaslessBody, unfundedUser } from "../../helpers/quotes/gasless.ts";
import { signQuote } from "../../helpers/quotes/permits.ts";
import { newcomer, quoteOf, requestIdOf, runToEnd } from "../../helpers/requests/requestRun.ts";

const october = Date.UTC(2026, 9, 1);
const november25 = Date.UTC(2026, 10, 25);
const unknownId = `0x${"00".repeat(32)}`;
const unknownUuid = "00000000-0000-4000-8000-000000000000";

describe("the API and its document", () => {
  let fixture: EmulatorFixture;
  let document: OpenApiDocument;
  let recorder: AnswerRecorder;
  let requestId: Hex;
  let txHash: string;
  let keyId: string;

  before(async () => {
    const now = clockFrom(october);
    fixture = await startFixture({
      now,
      perps: true,
      reorgs: true,
      requestsV2Sunset: "2026-11-24T00:00:00.000Z",
      svm: true,
    });
    const { emulator } = fixture;
    const answer = await emulator.fetch(new Request(`${emulator.info.apiUrl}/openapi.json`));
    document = (await answer.json()) as OpenApiDocument;
    recorder = recordAnswers(document, emulator.fetch);
    const client = createClient({
      baseUrl: emulator.info.apiUrl,
      fetch: (url, init) => recorder.fetch(new Request(url, init)),
      now,
      retry: { count: 0 },
    });
    fixture = { ...fixture, client };
    keyId = emulator.info.apiKeys[0]?.id ?? "";
    const quote = await quoteOf(fixture);
    requestId = requestIdOf(quote);
    const end = await runToEnd(fixture, quote);
    expect(end.status).to.equal("success");
    txHash = end.inTxHashes?.[0] ?? "";
  });
  after(async () => {
    await fixture.stop();
    if (process.env["WAYBILL_EXAMPLES"] === undefined) return;
    writeExamples(document, recorder.seen);
  });

  /** Sends a request with the emulator's keys; the recorder checks the answer. */
  const send = (...request: SentRequest) => sendWithKeys(fixture.emulator.info, recorder, request);

  /** Every operation, as a request that reaches it. */
  function everyOperation() {
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        operation,
        path: path.replaceAll(/\{\w+\}/g, "1"),
      })),
    );
  }

  it("successful answers of the service's own endpoints match the document", async () => {
    const { alpha, beta } = fixture;
    const [origin, destination] = [alpha.info.id, beta.info.id];
    const quote = {
      amount: parseEther("1").toString(),
      destinationChainId: destination,
      destinationCurrency: zeroAddress,
      originChainId: origin,
      originCurrency: zeroAddress,
      recipient: newcomer,
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
    };
    const usdc = { ...quote, amount: "25000000", originCurrency: alpha.currency("USDC") };
    for (const body of [quote, usdc, { ...usdc, appFees: [{ fee: "100", recipient: newcomer }] }]) {
      for (const path of ["/quote/v2", "/quote", "/price"])
        expect(await send("POST", path, body)).to.equal(200);
    }
    const signed = await quoteOf(fixture, {
      amount: 25_000_000n,
      originCurrency: alpha.currency("USDC"),
      usePermit: true,
    });
    const signature = await signQuote(alpha.wallet(0).account, signed);
    const permit = { kind: "eip3009", requestId: requestIdOf(signed) };
    expect(await send("POST", `/execute/permits?signature=${signature}`, permit)).to.equal(200);
    expect(await send("POST", "/execute", await gaslessBody(unfundedUser(0), alpha, []))).to.equal(200);
    const integrator = alpha.wallet(5).account.address;
    await earn(fixture, integrator);
    const posts: readonly (readonly [string, unknown])[] = [
      ["/transactions/index", { chainId: origin, requestId, txHash }],
      ["/transactions/single", { chainId: String(origin), requestId, tx: JSON.stringify({ txHash }) }],
      ["/currencies/v2", { limit: 3, term: "usd" }],
      ["/currencies/v1", { chainIds: [destination] }],
      ["/currencies/trending", { limit: 3 }],
      ["/svm", { id: 1, jsonrpc: "2.0", method: "getBalance", params: ["1".repeat(32)] }],
      ["/requests/metadata", { additionalMetadata: { moonPayId: "partner" }, requestId }],
      ["/fast-fill", { requestId: requestIdOf(await quoteOf(fixture)) }],
      [`/app-fees/${integrator}/claim`, { chainId: origin, currency: zeroAddress, recipient: newcomer }],
    ];
    for (const [path, body] of posts) expect(await send("POST", path, body), path).to.equal(200);
    const [step] = (await quoteOf(fixture, { useDepositAddress: true })).steps;
    const reindex = { chainId: origin, depositAddress: step?.depositAddress };
    const reindexPath = "/transactions/deposit-address/reindex";
    expect(await send("POST", reindexPath, reindex)).to.equal(200);
    expect(await send("POST", reindexPath, reindex)).to.equal(429);
    for (const path of [
      "/chains",
      `/chains?includeChains=${unknownUuid}`,
      `/chains/liquidity?chainId=${origin}`,
      `/swap-sources?chainId=${origin}`,
      `/currencies/token/price?address=${zeroAddress}&chainId=${origin}`,
      `/currencies/token/price/v2?address=${zeroAddress}&chainId=${origin}`,
      `/config?originChainId=${origin}&destinationChainId=${destination}&currency=${zeroAddress}`,
      `/config/v2?originChainId=${origin}&destinationChainId=${destination}&user=${newcomer}&currency=eth`,
      `/deposit-addresses/v1?address=${step?.depositAddress}`,
      `/intents/status?requestId=${requestId}`,
      `/intents/status/v2?requestId=${requestId}`,
      `/intents/status/v3?requestId=${requestId}`,
      `/requests/${requestId}/signature`,
      `/requests/${requestId}/signature/v2`,
      `/app-fees/${newcomer}/balances`,
      ...(await everySearch(fixture, requestId)),
      "/requests?limit=2",
      "/requests/v2?limit=2&includeOrderData=true&includeAuthenticatedData=true",
      "/requests/v3?limit=2&includeTotal=true&includeAuthenticatedData=true",
      "/requests/v3?filters=%5B%7B%22not%3Astatus%22%3A%22failure%22%7D%5D&features=app_fees",
      `/currencies/trending?chainId=${origin}&limit=3`,
      `/explorer/${origin}?before=5&limit=2`,
      `/explorer/${origin}/tx/${txHash}`,
      `/explorer/${origin}/address/${newcomer}`,
      `/explorer/${origin}/token/${alpha.currency("USDC")}`,
      `/images/chains/${origin}`,
      "/images/currencies/usdc",
      "/console",
      "/",
      "/docs",
      "/openapi.json",
    ]) {
      expect(await send("GET", path), path).to.equal(200);
    }
  });

  it("refusals of the service's own endpoints match the document", async () => {
    for (const [status, method, path, body] of refusedCalls(fixture.alpha.info.id, requestId)) {
      expect(await send(method, path, body), `${method} ${path}`).to.equal(status);
    }
    expect(await callExchange(fixture, send)).to.deep.equal([200, 200, 200]);
    // A request without a key: its absence is reported first.
    const bare = await recorder.fetch(new Request(`${fixture.emulator.info.apiUrl}/requests/v3?limit=none`));
    expect(bare.status).to.equal(401);
  });

  it("successes and refusals of the emulator's own endpoints match the document", async () => {
    const chain = `/admin/chains/${fixture.alpha.info.id}`;
    const holding = { account: newcomer, chainId: fixture.alpha.info.id, currency: zeroAddress };
    const query = new URLSearchParams(Object.entries(holding).map(([name, value]) => [name, String(value)]));
    const calls: readonly (readonly [status: number, method: string, path: string, body?: unknown])[] = [
      [200, "POST", "/admin/faults", { failReason: "SLIPPAGE", kind: "fill-fails" }],
      [200, "GET", "/admin/faults"],
      [400, "POST", "/admin/faults", { kind: "nothing" }],
      [404, "DELETE", "/admin/faults/nothing"],
      [200, "DELETE", "/admin/faults"],
      [200, "POST", "/admin/faults", { count: "always", kind: "route-slow", delayMs: 0, path: "/chains" }],
      [200, "DELETE", "/admin/faults/fault-2"],
      [200, "GET", "/admin/log?limit=5&after=0"],
      [200, "GET", "/admin/scenarios"],
      [200, "POST", "/admin/scenarios/success/bridge/run"],
      [200, "POST", "/admin/scenarios/quote-error/no-quotes/run", {}],
      [404, "POST", "/admin/scenarios/success/nothing/run"],
      [409, "POST", "/admin/scenarios/success/bridge/run", { apiKeyId: "nothing" }],
      [400, "GET", "/admin/log?limit=0"],
      [200, "GET", "/admin/clock"],
      [200, "POST", "/admin/clock", { advance: 1_000 }],
      [409, "POST", "/admin/clock", { set: 1 }],
      [200, "GET", "/admin/config"],
      [200, "PATCH", "/admin/config", { capacityPerRequest: "500000" }],
      [200, "GET", "/admin/prices"],
      [200, "PATCH", "/admin/prices?movePools=true", { ETH: "2600" }],
      [409, "PATCH", "/admin/prices", { NOTHING: "1" }],
      [200, "POST", "/admin/prices/repeg", {}],
      [409, "POST", "/admin/prices/repeg", { chainId: 1 }],
      [200, "PUT", "/admin/balances", { ...holding, amount: "7" }],
      [200, "GET", `/admin/balances?${query}`],
      [409, "PUT", "/admin/balances", { ...holding, amount: "7", chainId: 1 }],
      [409, "GET", `/admin/balances?${new URLSearchParams({ ...Object.fromEntries(query), chainId: "1" })}`],
      [404, "GET", "/admin/sponsors?apiKeyId=none"],
      [200, "PUT", "/admin/sponsors", { amount: "1000000", apiKeyId: keyId }],
      [200, "GET", `/admin/sponsors?apiKeyId=${keyId}`],
      [409, "PUT", "/admin/sponsors", { amount: "1", apiKeyId: "none" }],
      [200, "GET", `${chain}/health`],
      [200, "PATCH", `${chain}/health`, { blockProductionLagging: true }],
      [400, "GET", "/admin/chains/none/health"],
      [409, "PATCH", "/admin/chains/1/health", { disabled: true }],
      [409, "POST", "/admin/chains/1/reorg", { blocks: 1 }],
      [200, "POST", "/admin/keys", { name: "another" }],
      [200, "GET", "/admin/keys"],
      [404, "DELETE", "/admin/keys/none"],
      [404, "GET", "/admin/keys/none/webhook"],
      [400, "PUT", "/admin/keys/none/webhook", { url: "http://127.0.0.1:9/" }],
      [200, "PUT", `/admin/keys/${keyId}/webhook`, { headers: { "x-a": "b" }, url: "http://127.0.0.1:9/" }],
      [200, "GET", `/admin/keys/${keyId}/webhook`],
      [202, "POST", `/admin/keys/${keyId}/webhook/test`, { status: "success" }],
      [404, "POST", "/admin/keys/none/webhook/test", {}],
      [200, "GET", `/admin/keys/${keyId}/webhook/deliveries`],
      [200, "GET", `/admin/keys/${keyId}/webhook/deliveries?kind=test&limit=5&state=pending&status=success`],
      [400, "GET", `/admin/keys/${keyId}/webhook/deliveries?continuation=none`],
      [202, "POST", `/admin/keys/${keyId}/webhook/deliveries/1/resend`],
      [404, "POST", `/admin/keys/${keyId}/webhook/deliveries/none/resend`],
      [204, "DELETE", `/admin/keys/${keyId}/webhook`],
      [404, "DELETE", `/admin/keys/${keyId}/webhook`],
      [200, "POST", "/admin/websocket/restart"],
      [200, "GET", `/admin/requests/${requestId}/events`],
      [404, "GET", `/admin/requests/${unknownId}/events`],
      [200, "GET", `/admin/requests/${requestId}/calls`],
      [200, "GET", `/admin/requests?includeCounts=true&includeTotal=true&term=${await depositHash()}`],
      [200, "GET", `/admin/requests/${requestId}`],
      [404, "GET", `/admin/requests/${unknownId}`],
      [400, "GET", `/admin/requests?hash=${unknownId}`],
      [200, "POST", "/admin/snapshots"],
      [200, "GET", "/admin/snapshots"],
      [200, "POST", "/admin/snapshots/snapshot-1/restore"],
      [409, "POST", "/admin/snapshots/none/restore"],
      [200, "POST", `${chain}/reorg`, { blocks: 1 }],
    ];
    for (const [status, method, path, body] of calls) {
      expect(await send(method, path, body), `${method} ${path}`).to.equal(status);
    }
    const { adminKey, apiUrl } = fixture.emulator.info;
    const brief = { headers: { "x-admin-key": adminKey }, signal: AbortSignal.timeout(200) };
    await recorder.fetch(new Request(`${apiUrl}/admin/activity?after=0.0.0`, brief));
    expect(await send("GET", "/admin/activity?after=yesterday")).to.equal(400);
    const made = recorder.seen.find(({ operationId }) => operationId === "createKey");
    expect(await send("DELETE", `/admin/keys/${(made?.body as ApiKey | undefined)?.id}`)).to.equal(200);
    // A failed request has further fields.
    await send("POST", "/admin/faults", { details: "because", failReason: "SLIPPAGE", kind: "fill-fails" });
    const refunded = await quoteOf(fixture);
    expect((await runToEnd(fixture, refunded)).status).to.equal("refund");
    expect(await send("GET", `/admin/requests/${requestIdOf(refunded)}/events`)).to.equal(200);
    expect(await send("GET", "/requests/v3?status=refund")).to.equal(200);
    expect(await send("GET", "/requests/v2?status=refund")).to.equal(200);
    expect(await send("POST", "/admin/reset")).to.equal(200);
  });

  it("refusals of another key without a balance match the document", async () => {
    const { key } = await fixture.emulator.control.keys.create({ name: "other" });
    const { alpha, beta } = fixture;
    const other = { "x-api-key": key };
    const quote = {
      ...{ amount: "1000000", destinationChainId: beta.info.id, destinationCurrency: zeroAddress },
      ...{ originChainId: alpha.info.id, originCurrency: zeroAddress, tradeType: "EXACT_INPUT" },
      user: newcomer,
    };
    const sponsored = { ...quote, subsidizeFees: true };
    for (const path of ["/quote/v2", "/quote", "/price"])
      expect(await send("POST", path, sponsored, other), path).to.equal(403);
    expect(await send("POST", "/quote/v2", { ...quote, amount: parseEther("1").toString() })).to.equal(200);
    const unpaid = { requestId: lastStep()?.requestId };
    expect(await send("POST", "/fast-fill", unpaid, other)).to.equal(403);
    const address = { amount: parseEther("1").toString(), refundTo: newcomer, useDepositAddress: true };
    expect(await send("POST", "/quote/v2", { ...quote, ...address })).to.equal(200);
    const reindex = { chainId: alpha.info.id, depositAddress: lastStep()?.depositAddress };
    expect(await send("POST", "/transactions/deposit-address/reindex", reindex, other)).to.equal(403);
  });

  const lastStep = () => (recorder.seen.at(-1)?.body as Quote | undefined)?.steps[0];

  async function depositHash(): Promise<string> {
    const { apiUrl } = fixture.emulator.info;
    const answer = await fixture.emulator.fetch(
      new Request(`${apiUrl}/intents/status/v3?requestId=${requestId}`),
    );
    return ((await answer.json()) as { inTxHashes: readonly string[] }).inTxHashes[0] ?? "";
  }

  it("common refusals match the document: keys, bodies, limits and outages", async () => {
    const tooLong = "x".repeat(600 * 1024);
    const strikes = {
      429: { kind: "route-limited" },
      500: { kind: "route-broken", status: 500 },
      503: { kind: "route-broken", status: 503 },
    };
    for (const { method, operation, path } of everyOperation()) {
      const at = `${method} ${path}`;
      const body = operation.requestBody === undefined ? undefined : "not JSON";
      expect(await send(method, path, body, { "x-api-key": "unknown" }), at).to.equal(401);
      if (path.startsWith("/admin/")) {
        expect(await send(method, path, body, { "x-admin-key": "unknown" }), at).to.equal(401);
      } else {
        for (const [status, fault] of Object.entries(strikes)) {
          if (!(status in operation.responses)) continue;
          await fixture.emulator.control.faults.add({ ...fault, path } as never);
          expect(await send(method, path, body), at).to.equal(Number(status));
        }
      }
      if (body !== undefined) {
        const query = operation.parameters?.some((one) => one.in === "query" && one.required)
          ? `?signature=0x${"11".repeat(65)}`
          : "";
        expect(await send(method, `${path}${query}`, body), at).to.equal(400);
        expect(await send(method, `${path}${query}`, tooLong), at).to.equal(413);
      }
    }
  });

  it("answers of the retiring listing match the document", async () => {
    await fixture.emulator.control.clock.set(november25);
    expect(await send("GET", "/requests")).to.equal(410);
    expect(await send("GET", "/requests/v2")).to.equal(410);
  });

  // Runs after all others, over their recorded answers.
  describe("the API and its document, over all answers", () => {
    it("every answer has a described status, the described headers, and a body that fits its schema", () => {
      const faulty = recorder.seen.filter(({ faults }) => faults.length > 0);
      expect(
        faulty.map(({ faults, operationId, status }) => ({ faults, operationId, status })),
      ).to.deep.equal([]);
      expect(recorder.seen.length).to.be.greaterThan(300);
    });

    it("every operation succeeded and refused in these tests", () => {
      for (const { operation } of everyOperation()) {
        const { operationId, responses } = operation;
        const statuses = recorder.seen
          .filter((one) => one.operationId === operationId)
          .map(({ status }) => status);
        const canSucceed = Object.keys(responses).some((status) => status.startsWith("2"));
        expect(
          statuses.some((status) => status < 300),
          `${operationId} succeeds`,
        ).to.equal(canSucceed);
        expect(
          statuses.some((status) => status >= 400),
          `${operationId} refuses`,
        ).to.equal(true);
      }
    });

    it("every field and value of an answer is in its schema, except particulars of events", () => {
      const routes = new Map(allRoutes(idleDeps).map((route) => [route.operationId, route]));
      const unknown = recorder.seen.flatMap(({ body, operationId, status }) => {
        const schema = routes.get(operationId)?.answers[status]?.body;
        if (schema === undefined || status >= 300 || operationId === "getDocument") return [];
        return findUnknown(schema, body).map(({ path }) => `${operationId}: ${path}`);
      });
      const particulars = unknown.filter((one) => one.startsWith("getHistory: events.*."));
      expect(particulars).to.include("getHistory: events.*.failReason");
      expect(unknown.filter((one) => !particulars.includes(one))).to.deep.equal([]);
    });
  });
});
