import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { flood, floods, probe } from "../test/helpers/network/websocketFlood.ts";
import { readOut, spawnEmulator } from "../test/helpers/processes/spawnEmulator.ts";
import { progress, sizeOf } from "./support/campaign.ts";

const probeMs = sizeOf(3_000, 30_000);
/** The most that an answer may take at the 99th percentile, in milliseconds. */
const boundMs = 100;

const lanes = [
  ["20,000 refused messages of one socket", 1, floods.refused(20_000)],
  ["20,000 refused messages of each of 30 sockets", 30, floods.refused(20_000)],
  ["300 subscriptions of each of 400 sockets", 400, floods.subscribes(300)],
  ["100,000 pings of each of 10 sockets", 10, floods.pings(100_000)],
] as const;

function percentile99(times: readonly number[]): number {
  return times[Math.floor(0.99 * times.length)] ?? Number.POSITIVE_INFINITY;
}

describe("HTTP during floods of websocket frames", () => {
  it(`answers within ${boundMs} ms at the 99th percentile`, async function () {
    this.timeout(60_000 + 4 * lanes.length * probeMs);
    const folder = await mkdtemp(join(tmpdir(), "waybill-floods-"));
    const out = join(folder, "emulator.json");
    const emulator = spawnEmulator(["--port", "0", "--chain-ports", "0,0", "--out", out, "--quiet"]);
    try {
      const { apiUrl } = await readOut(out, emulator, 60_000);
      // It asks the database.
      const url = `${apiUrl}/intents/status/v3?requestId=0x${"00".repeat(32)}`;
      for (const [name, sockets, bytes] of lanes) {
        const { stop } = await flood(apiUrl, sockets, bytes);
        const times = await probe(url, probeMs);
        stop();
        const p99 = percentile99(times);
        progress(
          `${name}: ${times.length} answers, p99 ${p99.toFixed(1)} ms, longest ${times.at(-1)?.toFixed(1)} ms`,
        );
        expect(p99, name).to.be.below(boundMs);
      }
      expect(emulator.child.exitCode).to.equal(null);
    } finally {
      emulator.child.kill("SIGKILL");
      await emulator.exited;
      await rm(folder, { force: true, recursive: true });
    }
  });
});
