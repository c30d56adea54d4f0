import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { loadChainRecord } from "../../../emulator/chains/chainRecords.ts";
import type { ExternalChain } from "../../../emulator/chains/evm/connectChain.ts";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
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
import { postgresServer } from "../../helpers/processes/postgresServer.ts";
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

forEachStore("the first start of replicas over an empty database", (kind) => {
  if (!kind.isShared) return;
  let elsewhere: StartedChains;
  const emulators: Emulator[] = [];
  beforeEach(async () => {
    elsewhere = await startChains({ chainPorts: [0, 0] });
  });
  afterEach(async () => {
    for (const emulator of emulators.splice(0)) await emulator.stop();
    await elsewhere.close();
  });

  async function start(
    database: string,
    chains?: readonly ExternalChain[],
    reset = false,
  ): Promise<Emulator> {
    const local = chains === undefined ? { chainPorts: [0, 0] } : { chains };
    const emulator = await startEmulator({ database, port: 0, reset, ...local });
    emulators.push(emulator);
    return emulator;
  }
  const external = () => elsewhere.chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl }));

  it("three replicas that start together with reset: one empties the database and runs, the others are rejected", async () => {
    const database = await kind.newUrl();
    const former = await start(database, external());
    await former.stop();
    const outcomes = await Promise.allSettled(
      [0, 100, 400].map(async (delay) => {
        await pause(delay);
        return start(database, external(), true);
      }),
    );
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).to.have.length(2);
    for (const error of refused) expect(error).to.be.instanceOf(StoreLockedError);
    const [running] = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const { store } = await kind.open(database);
    for (const { contracts, id } of running?.info.chains ?? []) {
      expect((await loadChainRecord(store, id))?.contracts).to.deep.equal(contracts);
      expect(former.info.chains.find((each) => each.id === id)?.contracts).to.not.deep.equal(contracts);
    }
  });

  it("a reset while a replica runs is rejected and deletes nothing, even after its connections were cut", async () => {
    const database = await kind.newUrl();
    const running = await start(database, external());
    const records = async () => {
      const { close, store } = await kind.open(database);
      const found = await Promise.all(external().map(({ id }) => loadChainRecord(store, id)));
      await close();
      return found;
    };
    const before = await records();
    const refuse = async () => {
      const error = await failureOf(start(database, external(), true));
      expect(error).to.be.instanceOf(StoreLockedError);
      expect(String(error)).to.include("--reset").and.include("another process");
      expect(await records()).to.deep.equal(before);
    };
    await refuse();
    await (await postgresServer()).cutConnections(database);
    await pause(1_000);
    await refuse();
    await running.stop();
    await (await start(database, external(), true)).stop();
    expect(await records()).to.not.deep.equal(before);
  });

  it("a second process with local chains of its own is rejected, and the record of the first stays", async () => {
    const database = await kind.newUrl();
    const outcomes = await Promise.allSettled([start(database), start(database)]);
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).to.have.length(1);
    expect(refused[0]).to.be.instanceOf(StoreChainMismatchError);
  });
});
