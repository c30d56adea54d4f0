import { expect } from "chai";
import fc from "fast-check";
import { parseEther, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { admin, newcomer, quoteOf, requestIdOf, runToEnd } from "../../helpers/requests/requestRun.ts";

describe("the control over HTTP", () => {
  let routes: readonly (readonly [method: string, path: string])[];
  const fixture = useEmulator({ reorgs: true, seed: "routes" });
  before(async () => {
    const chain = `/chains/${fixture.alpha.info.id}`;
    routes = [
      ...(["GET", "POST", "DELETE"] as const).map((method) => [method, "/faults"] as const),
      ["DELETE", "/faults/fault-1"],
      ["GET", "/log"],
      ["GET", "/clock"],
      ["POST", "/clock"],
      ["GET", "/config"],
      ["PATCH", "/config"],
      ["GET", "/prices"],
      ["PATCH", "/prices"],
      ["POST", "/prices/repeg"],
      ["GET", "/balances"],
      ["PUT", "/balances"],
      ["GET", `${chain}/health`],
      ["PATCH", `${chain}/health`],
      ["POST", `${chain}/reorg`],
      ["GET", "/keys"],
      ["POST", "/keys"],
      ["DELETE", "/keys/0"],
      ["POST", "/reset"],
      ["GET", "/snapshots"],
      ["POST", "/snapshots"],
      ["POST", "/snapshots/snapshot-1/restore"],
    ];
  });
  beforeEach(() => fixture.emulator.control.reset());

  const call = (method: string, path: string, body?: unknown) => admin(fixture, method, path, body);

  it("every route without the admin key is rejected and has no effect", async () => {
    const { apiUrl } = fixture.emulator.info;
    for (const [method, path] of routes) {
      const answer = await fetch(`${apiUrl}/admin${path}`, {
        ...(method !== "GET" && { body: "{}" }),
        headers: { "x-admin-key": "nonsense" },
        method,
      });
      expect(answer.status, `${method} ${path}`).to.equal(401);
    }
    expect((await call("GET", "/snapshots")).body).to.deep.equal({ snapshots: [] });
  });

  it("adds, lists, removes and clears faults, and reports which fired", async () => {
    const one = await call("POST", "/faults", { failReason: "SLIPPAGE", kind: "fill-fails" });
    expect(one).to.deep.equal({
      body: {
        fired: 0,
        id: "fault-1",
        spec: { count: 1, failReason: "SLIPPAGE", kind: "fill-fails", probability: 1 },
        until: {},
      },
      status: 200,
    });
    await call("POST", "/faults", { count: 2, kind: "route-limited", path: "/chains" });
    expect((await call("GET", "/faults")).body.faults).to.have.length(2);
    expect((await call("DELETE", "/faults/fault-2")).status).to.equal(200);
    expect((await call("DELETE", "/faults/fault-2")).status).to.equal(404);
    const quote = await quoteOf(fixture);
    expect(await runToEnd(fixture, quote)).to.include({ failReason: "SLIPPAGE", status: "refund" });
    const { entries } = (await call("GET", "/log?after=1&limit=5")).body as { entries: object[] };
    expect(entries.at(-1)).to.include({ faultId: "fault-1", kind: "fault", requestId: requestIdOf(quote) });
    expect((await call("DELETE", "/faults")).body).to.deep.equal({ faults: [] });
  });

  it("moves the clock forward, and rejects an earlier time", async () => {
    const before = (await call("GET", "/clock")).body.now as number;
    const frozen = await call("POST", "/clock", { frozen: true, set: before + 60_000 });
    expect(frozen.body).to.deep.equal({ isFrozen: true, now: before + 60_000 });
    expect((await call("POST", "/clock", { advance: 1 })).body.now).to.equal(before + 60_001);
    const back = await call("POST", "/clock", { set: before });
    expect([back.status, back.body.errorCode]).to.deep.equal([409, "CONTROL_REFUSED"]);
    for (const wrong of [{}, { advance: 1, set: before }, { set: -1 }, { frozen: "yes" }, { later: 1 }]) {
      expect((await call("POST", "/clock", wrong)).status, JSON.stringify(wrong)).to.equal(400);
    }
  });

  it("sets prices, and the pools follow", async () => {
    expect(
      (await call("PATCH", "/prices?movePools=false", { ETH: "1250", WETH: "1250" })).body.prices,
    ).to.deep.include({
      ETH: "1250",
      SOL: "150",
      USDC: "1",
      USDT: "1",
      WETH: "1250",
    });
    const chainId = fixture.alpha.info.id;
    expect((await call("POST", "/prices/repeg", { chainId })).body.trades).to.have.length(2);
    expect((await call("PATCH", "/prices", { DOGE: "1" })).status).to.equal(409);
    expect((await call("PATCH", "/prices", { ETH: 1 })).status).to.equal(400);
  });

  it("sets and returns balances", async () => {
    const of = { account: newcomer, chainId: fixture.beta.info.id, currency: zeroAddress };
    const amount = parseEther("3").toString();
    expect((await call("PUT", "/balances", { ...of, amount })).status).to.equal(200);
    const query = new URLSearchParams({ ...of, chainId: String(of.chainId) });
    expect((await call("GET", `/balances?${query}`)).body).to.deep.equal({ ...of, amount });
    expect(await fixture.beta.balanceOf(zeroAddress, newcomer)).to.equal(parseEther("3"));
    expect((await call("PUT", "/balances", { ...of, amount: "-1" })).status).to.equal(400);
    expect((await call("PUT", "/balances", { ...of, amount, chainId: 1 })).status).to.equal(409);
  });

  it("returns and changes health and configuration", async () => {
    const health = `/chains/${fixture.alpha.info.id}/health`;
    expect((await call("PATCH", health, { disabled: true })).body).to.deep.equal({
      blockProductionLagging: false,
      disabled: true,
      partialDisableLimit: 0,
    });
    expect((await call("GET", health)).body.disabled).to.equal(true);
    expect((await call("GET", "/chains/1/health")).status).to.equal(409);
    expect((await call("GET", "/chains/one/health")).status).to.equal(400);
    expect((await call("PATCH", "/config", { routerVersion: "v2.1" })).body.routerVersion).to.equal("v2.1");
    expect((await call("PATCH", "/config", { colour: "red" })).status).to.equal(400);
  });

  it("creates and revokes keys, and shows a secret once", async () => {
    const { body } = await call("POST", "/keys", { name: "shop" });
    expect(body.key).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify((await call("GET", "/keys")).body))
      .to.include("shop")
      .and.not.include(body.key);
    expect((await call("DELETE", `/keys/${String(body.id)}`)).status).to.equal(200);
    expect((await call("DELETE", `/keys/${String(body.id)}`)).status).to.equal(404);
  });

  it("saves a state, restores it, drops blocks, and resets", async () => {
    const { id } = (await call("POST", "/snapshots")).body;
    const quote = await quoteOf(fixture);
    await runToEnd(fixture, quote);
    const events = `/requests/${requestIdOf(quote)}/events`;
    expect((await call("GET", events)).status).to.equal(200);
    const reorg = await call("POST", `/chains/${fixture.beta.info.id}/reorg`, { blocks: 1 });
    expect(reorg.body.returned).to.have.length(1);
    expect((await call("POST", `/snapshots/${String(id)}/restore`)).body.id).to.equal(id);
    expect((await call("GET", events)).status).to.equal(404);
    expect((await call("POST", "/snapshots/nothing/restore")).status).to.equal(409);
    expect((await call("POST", "/reset")).status).to.equal(200);
    expect((await call("GET", "/snapshots")).body).to.deep.equal({ snapshots: [] });
  });

  it("arbitrary requests to the admin routes never answer with a 5xx", async function () {
    this.timeout(120_000);
    const { adminKey, apiUrl } = fixture.emulator.info;
    const words = [
      "kind",
      "fill-fails",
      "path",
      "/*",
      "count",
      "set",
      "advance",
      "amount",
      "blocks",
      "chainId",
    ];
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...words), fc.oneof(fc.jsonValue(), fc.constantFrom(...words))),
    );
    const body = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string({ maxLength: 50 }),
    );
    const property = fc.asyncProperty(fc.constantFrom(...routes), body, async ([method, path], sent) => {
      const answer = await fetch(`${apiUrl}/admin${path}`, {
        ...(method !== "GET" && { body: sent }),
        headers: { "x-admin-key": adminKey },
        method,
      });
      expect(answer.status, `${method} ${path} ${sent}: ${await answer.text()}`).to.be.below(500);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
