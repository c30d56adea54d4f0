import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmulatorInfo } from "../../../emulator/index.ts";

/** A `waybill emulator` in a process of its own. */
export type SpawnedEmulator = {
  readonly child: ChildProcess;
  /** Output so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly exited: Promise<number | NodeJS.Signals>;
};

const cli = new URL("../../../cli/waybill.ts", import.meta.url).pathname;

/**
 * Environment of started processes, which share compiled modules: a start takes half of its CPU time. Node compares the
 * content of each module.
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "waybill-compile-cache") };

/** Starts the command as a user would, with these flags. */
export function spawnEmulator(flags: readonly string[]): SpawnedEmulator {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", cli, "emulator", ...flags],
    {
      env: { ...process.env, ...compileCache },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const written = { stderr: "", stdout: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? -1));
  });
  return { child, exited, output: () => written };
}

/** Waits for the file that `--out` names, and reads it. */
export async function readOut(
  file: string,
  emulator: SpawnedEmulator,
  timeoutMs = 20_000,
): Promise<EmulatorInfo> {
  const end = performance.now() + timeoutMs;
  while (!existsSync(file)) {
    const { exitCode, signalCode } = emulator.child;
    if (exitCode !== null || signalCode !== null || performance.now() > end) {
      throw new Error(`the emulator did not write ${file}: ${emulator.output().stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return JSON.parse(readFileSync(file, "utf8")) as EmulatorInfo;
}

/** Emulators of one suite, each in a process of its own. */
export type SpawnedEmulators = {
  /** Holds the files of `--out`. Removed after the suite. */
  readonly folder: string;
  /** Starts the command on free ports with these flags. */
  spawn(flags: readonly string[]): SpawnedEmulator;
  /** Starts the command, and waits until it serves. */
  start(
    flags?: readonly string[],
  ): Promise<{ readonly emulator: SpawnedEmulator; readonly info: EmulatorInfo }>;
};

/** Registers hooks that kill the emulators after each test. Call it in a `describe`. */
export function useSpawnedEmulators(): SpawnedEmulators {
  const folder = mkdtempSync(join(tmpdir(), "waybill-spawned-"));
  const running: SpawnedEmulator[] = [];
  afterEach(async () => {
    for (const { child, exited } of running.splice(0)) {
      child.kill("SIGKILL");
      await exited;
    }
  });
  after(() => rmSync(folder, { force: true, recursive: true }));
  let count = 0;
  const spawn = (flags: readonly string[]) => {
    const emulator = spawnEmulator(["--port", "0", "--chain-ports", "0,0", ...flags]);
    running.push(emulator);
    return emulator;
  };
  return {
    folder,
    spawn,
    start: async (flags = []) => {
      const file = join(folder, `emulator-${count++}.json`);
      const emulator = spawn(["--out", file, ...flags]);
      return { emulator, info: await readOut(file, emulator) };
    },
  };
}
