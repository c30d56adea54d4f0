import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import { readOut, spawnEmulator } from "../test/helpers/processes/spawnEmulator.ts";
import { type Driver, startDriver } from "./emulator/driver.ts";
import { percentile, ratePerSecond, timeEach } from "./emulator/measure.ts";
import type { Report } from "./Report.ts";
import { median } from "./table.ts";

const starts = 5;
const warmUps = 50;
const intents = 100;
const sustainedSeconds = 10;
const intentsAtOnce = 32;
const quotesAtOnce = 16;
/** Target of each row. */
const targets = {
  intentMs: 20,
  intentsPerSecond: 200,
  quotesPerSecond: 2_000,
  readyMs: 2_000,
  transferPairs: 2,
};

/**
 * Measures the emulator's start, quotes, and quote-to-success, as latency and per second. The emulator runs in its own
 * process, the load in this one.
 */
export async function benchEmulator(): Promise<Report> {
  const inProcess = await timeEach(starts, async () => {
    const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
    await emulator.stop();
  });
  const byDefault = await withDriver([], async (driver, commandMs) => {
    await timeEach(warmUps, driver.cross);
    const crossing = await timeEach(intents, driver.cross);
    const crossed = await ratePerSecond(sustainedSeconds, intentsAtOnce, driver.cross);
    const quoted = await ratePerSecond(sustainedSeconds, quotesAtOnce, driver.quote);
    return { commandMs, crossed, crossing, quoted };
  });
  // Disables the stream's pause before success, which is for wallets and costs the emulator nothing.
  const { pairs, undelayed } = await withDriver(["--success-delay", "0"], async (driver) => {
    await timeEach(warmUps, driver.cross);
    await timeEach(warmUps, driver.transferTwice);
    const undelayed = await timeEach(intents, driver.cross);
    return { pairs: await timeEach(intents, driver.transferTwice), undelayed };
  });
  const { commandMs, crossed, crossing, quoted } = byDefault;
  const pair = median(pairs);
  return report([
    ["ready, from the command's start", "ms", commandMs, targets.readyMs],
    ["start and stop in a running process, median", "ms", median(inProcess)],
    ["intent, quote to success, median", "ms", median(crossing), targets.intentMs],
    ["intent, quote to success, 95th percentile", "ms", percentile(crossing, 0.95)],
    ["two plain transfers, one on each chain, median", "ms", pair],
    ["intent without the delay of success, median", "ms", median(undelayed), targets.transferPairs * pair],
    [`intents over ${sustainedSeconds} s, ${intentsAtOnce} at once`, "/s", crossed, targets.intentsPerSecond],
    [`quotes over ${sustainedSeconds} s, ${quotesAtOnce} at once`, "/s", quoted, targets.quotesPerSecond],
  ]);
}

/** Runs a load on an emulator in its own process. `commandMs` is the time until it is ready. */
async function withDriver<Result>(
  flags: readonly string[],
  run: (driver: Driver, commandMs: number) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  const out = join(folder, "emulator.json");
  const started = performance.now();
  const emulator = spawnEmulator([
    ...["--port", "0", "--chain-ports", "0,0", "--out", out, "--quiet"],
    ...flags,
  ]);
  try {
    const info = await readOut(out, emulator);
    const commandMs = performance.now() - started;
    const driver = await startDriver(info, intentsAtOnce);
    try {
      return await run(driver, commandMs);
    } finally {
      driver.close();
    }
  } finally {
    emulator.child.kill("SIGTERM");
    await emulator.exited;
    rmSync(folder, { force: true, recursive: true });
  }
}

type Measured = readonly [name: string, unit: "ms" | "/s", value: number, target?: number];

function report(measured: readonly Measured[]): Report {
  return {
    header: ["emulator", "measured", "target"],
    rows: measured.map(([name, unit, value, target]) => [
      name,
      `${value.toFixed(1)} ${unit}`,
      target === undefined ? "" : `${unit === "ms" ? "<" : ">"} ${Math.round(target * 10) / 10} ${unit}`,
    ]),
    values: measured.map(([name, unit, value, target]) => ({
      name,
      [unit === "ms" ? "milliseconds" : "perSecond"]: value,
      ...(target !== undefined && { target }),
    })),
  };
}
