import { expect } from "chai";
import fc from "fast-check";
import { type Hex, zeroAddress } from "viem";
import { ControlRefusedError, startChains, startEmulator } from "../../../emulator/index.ts";
import { getStatus } from "../../../src/client/index.ts";
import { type EmulatorFixture, startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { admin, newcomer, quoteOf, requestIdOf, runToEnd } from "../../helpers/requests/requestRun.ts";

describe("the state of the emulator", () => {
  const fixture = useEmulator({ reorgs: true, seed: "state" });
  beforeEach(() => fixture.emulator.control.reset());

  const control = () => fixture.emulator.control;
  const received = () => fixture.beta.balanceOf(zeroAddress, newcomer);
  const isKnown = (requestId: Hex) =>
    getStatus(fixture.client, { requestId }).then(
      () => true,
      () => false,
    );

  describe("reset", () => {
    it("a reset returns an empty database, the first chain states and ids, and the same keys", async () => {
      const { apiKeys } = fixture.emulator.info;
      const first = await quoteOf(fixture);
      await runToEnd(fixture, first);
      expect(await received()).to.be.greaterThan(0n);
      await control().prices.set({ ETH: "3000" });
      await control().config.set({ capacityPerRequest: "1" });
      await control().chains.setHealth(fixture.beta.info.id, { disabled: true });
      await control().faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
      await control().clock.advance(1_000_000);

      await control().reset();
      expect(await isKnown(requestIdOf(first))).to.equal(false);
      expect(await received()).to.equal(0n);
      expect(control().prices.list().ETH).to.equal("2500");
      expect(control().config.get()).to.include({ capacityPerRequest: "10000000", reorgs: true });
      expect(control().chains.health(fixture.beta.info.id).disabled).to.equal(false);
      expect(control().faults.list()).to.deep.equal([]);
      expect(Math.abs(control().clock.read().now - Date.now())).to.be.below(5_000);
      expect(fixture.emulator.info.apiKeys).to.deep.equal(apiKeys);
      const again = await quoteOf(fixture);
      expect(requestIdOf(again)).to.equal(requestIdOf(first));
      expect((await runToEnd(fixture, again)).status).to.equal("success");
      expect((await control().log()).map(({ kind }) => kind)).to.deep.equal(["reset"]);
    });
  });

  describe("save and restore", () => {
    it("a saved state restores chains, requests, prices, faults, clock and ids, any number of times", async () => {
      const kept = await quoteOf(fixture);
      await runToEnd(fixture, kept);
      const before = await received();
      await control().prices.set({ ETH: "3000" });
      await control().faults.add({ delayMs: 1, kind: "route-slow", path: "/nothing" });
      const { at, id } = await control().snapshot();
      const ids = [];
      for (let round = 0; round < 3; round++) {
        const lost = await quoteOf(fixture);
        ids.push(requestIdOf(lost));
        expect((await runToEnd(fixture, lost)).status).to.equal("success");
        expect(await received()).to.be.greaterThan(before);
        await control().prices.set({ ETH: "1000" });
        await control().faults.clear();
        await control().clock.advance(3_600_000);

        expect(await control().restore(id)).to.deep.equal({ at, id });
        expect(await received()).to.equal(before);
        expect(await isKnown(requestIdOf(kept))).to.equal(true);
        expect(await isKnown(requestIdOf(lost))).to.equal(false);
        expect(control().prices.list().ETH).to.equal("3000");
        expect(control().faults.list()).to.have.length(1);
        expect(control().clock.read().now).to.be.within(at, at + 60_000);
      }
      expect(new Set(ids).size).to.equal(1);
    });

    it("a state that is newer than the restored one, or unknown, is rejected", async () => {
      const older = await control().snapshot();
      const younger = await control().snapshot();
      expect(control().snapshots()).to.deep.equal([older, younger]);
      await control().restore(older.id);
      expect(control().snapshots()).to.deep.equal([older]);
      for (const id of [younger.id, "snapshot-0"]) {
        expect(await failureOf(control().restore(id))).to.be.instanceOf(ControlRefusedError);
      }
      await control().restore(older.id);
      await control().reset();
      expect(control().snapshots()).to.deep.equal([]);
    });
  });

  describe("dropped blocks", () => {
    const heightOf = () => fixture.alpha.reader.getBlockNumber();

    it("dropped blocks with every kind of transaction: all return with the same hash", async () => {
      const wallet = fixture.alpha.wallet(1);
      const common = { gas: 21_000n, to: newcomer, value: 1n } as const;
      const gasPrice = 10n ** 10n;
      const delegate = fixture.alpha.info.contracts.multicall3;
      const signer = fixture.alpha.wallet(2);
      const authorizationList = [await signer.signAuthorization({ contractAddress: delegate })];
      const hashes = [
        await wallet.sendTransaction({ ...common, gasPrice, type: "legacy" }),
        await wallet.sendTransaction({ ...common, accessList: [], gasPrice, type: "eip2930" }),
        await wallet.sendTransaction({ ...common, maxFeePerGas: gasPrice, type: "eip1559" }),
        await wallet.sendTransaction({ ...common, authorizationList, gas: 100_000n, type: "eip7702" }),
      ];
      const report = await control().chains.reorg({ blocks: 4, chainId: fixture.alpha.info.id });
      expect([report.returned, report.lost]).to.deep.equal([hashes, []]);
      for (const hash of hashes) {
        expect((await fixture.alpha.reader.getTransactionReceipt({ hash })).status).to.equal("success");
      }
    });

    it("exactly the requested number of blocks is dropped, even of blocks mined in bulk", async () => {
      const chainId = fixture.alpha.info.id;
      const wallets = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => fixture.alpha.wallet(index));
      for (const blocks of [1, 2, 3, 5, 8]) {
        await Promise.all(
          wallets.map(async (wallet) => {
            const hash = await wallet.sendTransaction({ to: newcomer, value: 1n });
            await fixture.alpha.reader.waitForTransactionReceipt({ hash });
          }),
        );
        const height = Number(await heightOf());
        const report = await control().chains.reorg({ blocks, chainId, returns: false });
        expect([report.blocks, report.forkBlock]).to.deep.equal([blocks, height - blocks]);
      }
    });
  });
});

const day = 86_400_000;

/** Tolerated delay of a reading on a slow machine, in milliseconds. */
const slack = 20_000;

describe("a start at a given time", () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  const start = async (parameters: Parameters<typeof startFixture>[0]): Promise<EmulatorFixture> => {
    const fixture = await startFixture(parameters);
    running.push(fixture);
    return fixture;
  };
  const timesOf = async ({ alpha, beta }: EmulatorFixture) => {
    const blocks = [alpha, beta].flatMap(({ reader }) => [
      reader.getBlock({ blockNumber: 0n }),
      reader.getBlock(),
    ]);
    return (await Promise.all(blocks)).map(({ timestamp }) => Number(timestamp) * 1_000);
  };
  const listing = async ({ emulator }: EmulatorFixture) => {
    const key = emulator.info.apiKeys[0]?.key ?? "";
    const url = `${emulator.info.apiUrl}/requests/v2`;
    return emulator.fetch(new Request(url, { headers: { "x-api-key": key } }));
  };

  it("a start years in the past: blocks, statuses, deadlines and the older listing are of that time", async () => {
    const now = Date.UTC(2024, 1, 29);
    const fixture = await start({ now });
    const { clock } = fixture.emulator.control;
    expect(clock.read().now).to.be.within(now, now + slack);
    for (const time of await timesOf(fixture)) expect(time).to.be.within(now - 1_000, now + slack);
    const quote = await quoteOf(fixture);
    const { deadline } = quote.protocol?.v2?.orderData?.output ?? {};
    expect(Number(deadline) * 1_000).to.be.within(now + 7 * day - 1_000, now + 7 * day + slack);
    const { status, updatedAt } = await runToEnd(fixture, quote);
    expect(status).to.equal("success");
    expect(updatedAt).to.be.within(now, now + slack);
    for (const time of await timesOf(fixture)) expect(time).to.be.within(now - 1_000, now + slack);
    expect((await listing(fixture)).status).to.equal(200);
  });

  it("a start in the last month of the older listing: its limit has shrunk, and it ends with the month", async () => {
    const now = Date.UTC(2026, 10, 23, 23, 58);
    const { emulator } = await start({ now, rateLimits: true, requestsV2Sunset: "2026-11-24T00:00:00.000Z" });
    const answered = async () => (await listing({ emulator } as EmulatorFixture)).status;
    // 200 a minute until August; an eighth of it in November.
    for (let count = 0; count < 25; count++) expect(await answered()).to.equal(200);
    expect(await answered()).to.equal(429);
    await emulator.control.clock.advance(120_000);
    expect(await answered()).to.equal(410);
  });

  it("an invalid start time, or one before the head of a running chain, is rejected", async () => {
    const text = "2026" as unknown as number;
    for (const wrong of [Number.NaN, -1, 1.5, 253_402_300_800_000, new Date("never"), text]) {
      const error = await failureOf(startEmulator({ chainPorts: [0, 0], now: wrong, port: 0 }));
      expect(error, String(wrong)).to.match(/`now` is invalid: .*1970 to 9999/);
    }
    const { chains, close } = await startChains({ chainPorts: [0, 0], now: Date.UTC(2028, 0, 1) });
    running.push({ stop: close });
    const newest = await Promise.all(chains.map(({ client }) => client.getBlock()));
    const [alphaAt = 0, betaAt = 0] = newest.map(({ timestamp }) => Number(timestamp) * 1_000);
    expect(alphaAt).to.be.within(Date.UTC(2028, 0, 1), Date.UTC(2028, 0, 1) + slack);
    const now = Math.max(alphaAt, betaAt);
    const elsewhere = chains.map(({ definition, rpcUrl }) => ({ id: definition.id, rpcUrl }));
    const error = await failureOf(startEmulator({ chains: elsewhere, now: alphaAt - 1_000, port: 0 }));
    expect(String(error)).to.include(`the newest block of alpha is of ${new Date(alphaAt).toISOString()}`);
    expect(await chains[0]?.client.getBlockNumber()).to.equal(0n);
    const fixture = await start({ chainPorts: undefined, chains: elsewhere, now });
    const { updatedAt } = await runToEnd(fixture, await quoteOf(fixture));
    expect(updatedAt).to.be.within(now, now + slack);
    expect(requestIdOf(await quoteOf(fixture))).to.match(/^0x/);
  });
});

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
