import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { startDriver } from "../bench/emulator/driver.ts";
import { type EmulatorInfo, startChains } from "../emulator/index.ts";
import { progress, sizeOf } from "./support/campaign.ts";

const warmUp = sizeOf(300, 2_000);
const intents = sizeOf(500, 20_000);
const atOnce = 16;
/** Code and caches of a fixed size take up to 6 MB more or less from one look to the next. */
const mostBytesPerIntent = sizeOf(20_000, 1_000);
/** Connections and timers of the last intents end within this time. */
const quietMs = 6_500;

type Memory = { readonly heapUsed: number; readonly rss: number };

describe("the memory of an emulator over chains of another process", () => {
  let folder: string;
  let chains: Awaited<ReturnType<typeof startChains>>;
  let emulator: ChildProcess;
  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), "waybill-memory-"));
    chains = await startChains({ chainPorts: [0, 0] });
    const where = chains.chains.map(({ definition, rpcUrl }) => `${definition.id}=${rpcUrl}`);
    const script = new URL("./support/memoryEmulator.ts", import.meta.url);
    const execArgv = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
    emulator = fork(script, [join(folder, "waybill.db"), ...where], { execArgv });
  });
  after(async () => {
    emulator?.kill();
    await chains?.close();
    await rm(folder, { force: true, recursive: true });
  });

  it("does not grow with finished intents", async function () {
    this.timeout(1_800_000);
    const [info] = (await once(emulator, "message")) as [EmulatorInfo];
    const driver = await startDriver(info, atOnce);
    const run = async (count: number) => {
      let left = count;
      const lane = async () => {
        while (left-- > 0) await driver.cross();
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    };
    const look = async (): Promise<Memory> => {
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      emulator.send("look");
      const [memory] = (await once(emulator, "message")) as [Memory];
      return memory;
    };
    await run(warmUp);
    const before = await look();
    await run(intents);
    const after = await look();
    driver.close();
    const [heap, rss] = (["heapUsed", "rss"] as const).map((kind) => (after[kind] - before[kind]) / intents);
    progress(`${intents} intents: ${heap?.toFixed(0)} bytes of heap each, ${rss?.toFixed(0)} of RSS`);
    expect(heap).to.be.below(mostBytesPerIntent);
  });
});
