import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { zeroAddress } from "viem";
import {
  type Emulator,
  type StartEmulatorParameters,
  StoreChainMismatchError,
  StoreLockedError,
  startEmulator,
} from "../../../emulator/index.ts";
import { openStore } from "../../../emulator/store/openStore.ts";
import { createClient, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { testChain } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { readOut, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

const recipient = "0x00000000000000000000000000000000000c0de0";
const ports = { chainPorts: [0, 0], port: 0 };

async function bridge({ info }: Emulator, key?: string): Promise<string> {
  const [alpha, beta] = info.chains.map(testChain);
  if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
  const client = createClient({
    baseUrl: info.apiUrl,
    sleep: quickSleep,
    ...(key !== undefined && { apiKey: key }),
  });
  const quote = await getQuote(client, bridgeIntent({ alpha, beta }, { recipient }));
  await execute(client, {
    publicClient: alpha.reader,
    quote,
    timeout: 20_000,
    verify: false,
    wallet: alpha.wallet(0),
  });
  return quote.steps[0]?.requestId ?? "";
}

forEachStore("an emulator with its database", (kind) => {
  const running: Emulator[] = [];
  afterEach(async () => {
    for (const emulator of running.splice(0)) await emulator.stop();
  });
  async function start(parameters: StartEmulatorParameters): Promise<Emulator> {
    const emulator = await startEmulator({ ...ports, ...parameters });
    running.push(emulator);
    return emulator;
  }

  it("fills, and stores the API key of each request", async () => {
    const database = await kind.newUrl();
    const emulator = await start({ database });
    const id = await bridge(emulator, emulator.info.apiKeys[0]?.key);
    await emulator.stop();
    if (!kind.isLasting) return;
    const { store } = await kind.open(database);
    const request = await store.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
    const [apiKey] = await store.selectFrom("api_keys").selectAll().execute();
    expect(request).to.include({
      amount_usd: 2_500_000_000,
      api_key_id: apiKey?.id,
      currency_in: zeroAddress,
      currency_out_symbol: "ETH",
      id,
      request_type: "Bridge",
      status: "success",
    });
    expect(JSON.parse(request.quote)).to.have.keys(
      ...["appFeeCurrency", "appFees", "details", "fees", "protocol"],
    );
    expect(apiKey?.key).to.equal(emulator.info.apiKeys[0]?.key);
  });

  if (!kind.isLasting) return;

  it("a database of other chains is rejected at the start, unless it may be reset", async () => {
    const database = await kind.newUrl();
    const first = await start({ database });
    await bridge(first);
    await first.stop();
    const error = await failureOf(startEmulator({ ...ports, database }));
    expect(error).to.be.instanceOf(StoreChainMismatchError);
    expect(String(error)).to.include("--reset").and.include("another chain");

    const second = await start({ database, reset: true });
    expect(second.info.adminKey).to.not.equal(first.info.adminKey);
    await bridge(second);
    await second.stop();
    const { store } = await kind.open(database);
    expect(await store.selectFrom("requests").select("status").execute()).to.deep.equal([
      { status: "success" },
    ]);
  });
});

describe("the command with a database", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-database-"));
  });
  afterEach(() => rm(folder, { force: true, recursive: true }));

  it("the command keeps its state in the file of --db, which it locks, and empties it with --reset", async () => {
    const file = join(folder, "emulator.db");
    const out = join(folder, "emulator.json");
    const flags = ["--port", "0", "--chain-ports", "0,0", "--db", file, "--out", out, "--quiet"];
    const first = spawnEmulator(flags);
    await readOut(out, first);
    expect((await readFile(file)).subarray(0, 15).toString()).to.equal("SQLite format 3");
    expect(await failureOf(openStore(file))).to.be.instanceOf(StoreLockedError);
    const busy = spawnEmulator(flags);
    expect(await busy.exited).to.equal(1);
    expect(busy.output().stderr.trim().split("\n")).to.have.length(1);
    expect(busy.output().stderr).to.include(file).and.include("another process");
    first.child.kill("SIGKILL");
    await first.exited;

    const refused = spawnEmulator(flags);
    expect(await refused.exited).to.equal(1);
    expect(refused.output().stderr).to.include("--reset");
    await rm(out);
    const again = spawnEmulator([...flags, "--reset"]);
    await readOut(out, again);
    again.child.kill("SIGTERM");
    expect(await again.exited).to.equal(0);
  });
});
