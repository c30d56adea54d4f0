import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { type Emulator, replayRun, startEmulator } from "../../../emulator/index.ts";
import { createClient } from "../../../src/client/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { type EmulatorFixture, testChain } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode } from "../../helpers/localChain.ts";
import { depositQuote, ended, payOnAlpha, withdraw, withdrawalQuote } from "../../helpers/perps.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { carryOut } from "../../helpers/quotes/intents.ts";
import { deposit, ether, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";
import { type Receiver, startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";

const free = { chainPorts: [0, 0], port: 0 };

function fixtureOf(emulator: Emulator): EmulatorFixture {
  const [alpha, beta] = emulator.info.chains.map(testChain);
  if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
  const client = createClient({ baseUrl: emulator.info.apiUrl, sleep: quickSleep });
  return { alpha, beta, client, emulator, stop: () => emulator.stop() };
}

/** All that a run left: blocks, records, histories and payloads of webhooks. */
async function remainsOf(emulator: Emulator, ids: readonly string[]): Promise<string> {
  const { apiKeys, chains } = emulator.info;
  const headers = { "x-api-key": apiKeys[0]?.key ?? "" };
  const blocks = await Promise.all(
    chains.map(testChain).map(async ({ reader }) => {
      const last = Number(await reader.getBlockNumber());
      const all = Array.from({ length: last + 1 }, (_, index) =>
        reader.getBlock({ blockNumber: BigInt(index) }).then(({ hash }) => hash),
      );
      return Promise.all(all);
    }),
  );
  const records = await Promise.all(
    ["/requests/v3?limit=50", "/requests/v2?limit=50"].map(async (path) =>
      (await emulator.fetch(new Request(`http://localhost${path}`, { headers }))).text(),
    ),
  );
  const histories = await Promise.all(ids.map((id) => historyOf(emulator, id as `0x${string}`)));
  return JSON.stringify({ apiKeys, blocks, histories, records }, null, 1);
}

/** Posted payloads with their signatures, by request: posts of several requests may interleave. */
function payloadsOf({ received }: Receiver): string {
  const posts = received.map(({ body, event, headers }) => [
    event.data.requestId,
    body,
    headers["x-signature-sha256"],
  ]);
  return JSON.stringify(posts.sort());
}

describe("recording and replay of a run", () => {
  const folder = mkdtempSync(join(tmpdir(), "recording-"));
  const file = join(folder, "run.json");
  after(() => rmSync(folder, { force: true, recursive: true }));

  /** Bridges, swaps, wrong payments, faults, moves of clock and prices, scenarios, by handle, HTTP and JSON-RPC. */
  async function live(emulator: Emulator, receiver: Receiver): Promise<readonly string[]> {
    const fixture = fixtureOf(emulator);
    const { alpha, beta } = fixture;
    const { control } = emulator;
    const [key] = emulator.info.apiKeys;
    await emulator.webhooks.set(key?.id ?? "", { url: receiver.url });
    const first = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(first));
    await reached(emulator, idOf(first), "success");
    const short = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(short), ether - 1n);
    await reached(emulator, idOf(short), "refund");
    const swapped = await quoteOf(fixture, { destinationCurrency: beta.currency("USDT") });
    await carryOut(fixture, swapped);
    // The clock alone ends this fault.
    await control.faults.add({ delayMs: 600, kind: "fill-slow" });
    const slow = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(slow));
    await reached(emulator, idOf(slow), "success");
    await control.prices.set({ ETH: "2600" });
    await control.clock.advance(90_000);
    await control.balances.set({
      account: alpha.wallet(5).account.address,
      amount: 5n * ether,
      chainId: alpha.info.id,
      currency: zeroAddress,
    });
    await askNode(alpha, "hardhat_mine", "0x3");
    const parallel = await Promise.all([1, 2, 3].map(() => quoteOf(fixture)));
    await Promise.all(parallel.map((quote, payer) => deposit(fixture, orderIdOf(quote), ether, { payer })));
    for (const quote of parallel) {
      const [child] = (await historyOf(emulator, idOf(quote))).children;
      await reached(emulator, (child?.requestId ?? idOf(quote)) as `0x${string}`, "success", "refund");
    }
    await emulator.scenarios.run("refund/execution-reverted");
    const run = await emulator.fetch(
      new Request("http://localhost/admin/scenarios/status/submitted/run", {
        headers: { "x-admin-key": emulator.info.adminKey },
        method: "POST",
      }),
    );
    expect(run.status).to.equal(200);
    await failureOf(control.clock.set(1));
    return [first, short, swapped, slow, ...parallel].map(idOf);
  }

  it("a run of all kinds of inputs: its replay has the same blocks, events, records and payloads, byte for byte", async () => {
    const [receiver, again] = [await startReceiver(), await startReceiver()];
    const emulator = await startEmulator({
      ...free,
      now: new Date("2026-03-04T05:06:07Z"),
      record: file,
      seed: "run",
    });
    const ids = await live(emulator, receiver).catch(async (error: unknown) => {
      await emulator.stop();
      throw error;
    });
    const before = await remainsOf(emulator, ids);
    expect(existsSync(file)).to.equal(false);
    await emulator.stop();
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    await receiver.stop();

    // The same receiver's address, for the same posts.
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(receiver.url, again.url));
    const replayed = await replayRun(file, free);
    const after = await remainsOf(replayed, ids);
    expect(after).to.equal(before);
    await replayed.stop();
    expect(payloadsOf(again)).to.equal(payloadsOf(receiver));
    await again.stop();
  }).timeout(60_000);

  it("a replayed emulator: serves on, and its clock continues", async () => {
    const emulator = await startEmulator({ ...free, record: file });
    const recorded = emulator.control.clock.read().now;
    await emulator.scenarios.run("success/bridge");
    await emulator.stop();
    const replayed = await replayRun(file, free);
    const { now } = replayed.control.clock.read();
    expect(now).to.be.greaterThanOrEqual(recorded);
    expect((await replayed.scenarios.run("success/send")).name).to.equal("success/send");
    expect(replayed.control.clock.read().now).to.be.greaterThan(now);
    await replayed.stop();
  }).timeout(30_000);

  it("a run with the perps exchange and a private chain: the replay has the same ledger and hides the same chain", async () => {
    const privateChains = [{ id: 31_338, uuid: "0d9c4a0e-4a0e-4d9c-8a0e-0d9c4a0e0001" }];
    const emulator = await startEmulator({ ...free, perps: true, privateChains, record: file });
    const fixture = fixtureOf(emulator);
    const into = await depositQuote(fixture);
    await payOnAlpha(fixture, into);
    expect((await ended(fixture, into)).status).to.equal("success");
    const out = await withdrawalQuote(fixture);
    expect((await withdraw(fixture, out)).status).to.equal("success");
    await emulator.control.balances.set({
      account: fixture.alpha.wallet(3).account.address,
      amount: 7n,
      chainId: 1337,
      currency: perpsUsdcAddress,
    });
    const look = async (running: Emulator) => {
      const chains = await running.fetch(new Request("http://localhost/chains"));
      const { chains: shown } = (await chains.json()) as { chains: { id: number }[] };
      const { alpha } = fixture;
      const accounts = [0, 3].map((index) => alpha.wallet(index).account.address);
      const balances = await Promise.all(
        [...accounts, running.info.solver].map((account) =>
          running.control.balances.get({ account, chainId: 1337, currency: perpsUsdcAddress }),
        ),
      );
      return { balances, ids: shown.map(({ id }) => id) };
    };
    const before = { ...(await look(emulator)), remains: await remainsOf(emulator, [into, out].map(idOf)) };
    expect(before.ids).to.deep.equal([31_337, 1337]);
    await emulator.stop();
    const replayed = await replayRun(file, free);
    const after = await remainsOf(replayed, [into, out].map(idOf));
    expect({ ...(await look(replayed)), remains: after }).to.deep.equal(before);
    await replayed.stop();
  }).timeout(30_000);

  it("a changed recording: the replay names the first line that differs", async () => {
    const emulator = await startEmulator({ ...free, record: file });
    await emulator.control.prices.set({ ETH: "2400" });
    await emulator.control.prices.set({ ETH: "2300" });
    await emulator.stop();
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"args":[{"ETH":"2300"}]', '"args":[{"ETH":"2301"}]'),
    );
    const refused = (await failureOf(replayRun(file, free))) as Error;
    expect(refused.message).to.match(/Line 3 of the recording, call, had another answer/);
    for (const text of ["", "{}", "nothing"]) {
      writeFileSync(file, text);
      expect(await failureOf(replayRun(file, free))).to.be.instanceOf(InvalidParameterError);
    }
  }).timeout(30_000);

  it("parameters that a file cannot repeat: are refused before anything starts", async () => {
    for (const parameters of [
      { chains: [{ id: 1, rpcUrl: "http://127.0.0.1:1" }] },
      { database: join(folder, "some.db") },
      { now: () => 1 },
      { random32: () => "0x" as const },
    ]) {
      const refused = await failureOf(
        startEmulator({ ...free, ...parameters, record: join(folder, "no.json") }),
      );
      expect(refused).to.be.instanceOf(InvalidParameterError);
    }
    expect(existsSync(join(folder, "no.json.partial"))).to.equal(false);
  });
});
