import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type EmulatorInfo, startChains } from "../emulator/index.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../test/helpers/processes/spawnEmulator.ts";
import { forEachStore } from "../test/helpers/processes/stores.ts";
import { drawsOf } from "../test/helpers/seededDraws.ts";
import { campaignSeed, pause, progress, sizeOf } from "./support/campaign.ts";

const rounds = sizeOf(3, 60);
const replicas = 3;
/** Replicas start within this time of one another, and one of them is killed within as much again; milliseconds. */
const spreadMs = 2_500;
const startMs = 90_000;

forEachStore("replicas that start together on an empty database, one of which is killed", (kind) => {
  if (!kind.isShared) return;

  it("the others become ready with one deployment, and so does the one that starts again", async function () {
    this.timeout(rounds * 2 * startMs);
    const draws = drawsOf(campaignSeed("first starts"));
    for (let round = 1; round <= rounds; round++) {
      const folder = await mkdtemp(join(tmpdir(), "waybill-first-starts-"));
      const { chains, close } = await startChains({ chainPorts: [0, 0] });
      const where = chains.flatMap(({ definition: { id }, rpcUrl }) => ["--chain", `${id}=${rpcUrl}`]);
      const common = ["--port", "0", "--db", await kind.newUrl(), "--quiet", ...where];
      const spawned: SpawnedEmulator[] = [];
      const start = async (delayMs: number): Promise<EmulatorInfo> => {
        await pause(delayMs);
        const out = join(folder, `${spawned.length}.json`);
        const emulator = spawnEmulator([...common, "--out", out]);
        spawned.push(emulator);
        return readOut(out, emulator, startMs);
      };
      try {
        const starting = Array.from({ length: replicas }, () => start(draws.whole(0, spreadMs)));
        const outcome = Promise.allSettled(starting);
        await pause(draws.whole(0, 2 * spreadMs));
        const victim = spawned[draws.whole(0, Math.max(0, spawned.length - 1))];
        victim?.child.kill("SIGKILL");
        const ready = (await outcome).flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
        ready.push(await start(0));
        const errors = spawned.filter((each) => each !== victim).map(({ output }) => output().stderr);
        expect(errors.join("")).to.equal("");
        // One that was ready before it was killed counts, too: it has quoted.
        expect(ready.length).to.be.at.least(replicas);
        const contracts = ready.map((info) => JSON.stringify(info.chains.map((chain) => chain.contracts)));
        expect(new Set(contracts).size).to.equal(1);
        progress(`${round} of ${rounds} rounds`);
      } finally {
        for (const { child, exited } of spawned) {
          child.kill("SIGKILL");
          await exited;
        }
        await close();
        await rm(folder, { force: true, recursive: true });
      }
    }
  });
});
