import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { packageRoot } from "../packageRoot.ts";

/** A running anvil. */
export type Anvil = {
  readonly rpcUrl: string;
  /** Ends the process. */
  close(): Promise<void>;
};

/** Limit of a start in milliseconds. A fork reads its first block before it listens. */
const startMs = 60_000;
const program = process.platform === "win32" ? "anvil.exe" : "anvil";

/** Starts anvil on a loopback port, and ends it with this process. */
export async function startAnvil(parameters: readonly string[]): Promise<Anvil> {
  const file = findAnvil();
  if (file === undefined) throw new AnvilMissingError();
  const child = spawn(file, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => process.off("exit", kill));
  const close = async () => {
    // It has no state to store.
    kill();
    await ended;
  };
  try {
    return { close, rpcUrl: await listening(child) };
  } catch (error) {
    await close();
    throw error;
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [printed, complained] = ["", ""];
    const fail = (reason: string) => reject(new AnvilFailedError(reason));
    const timer = setTimeout(() => fail(`it does not listen within ${startMs} ms`), startMs);
    child.once("error", ({ message }) => fail(message));
    child.once("close", (code) => {
      clearTimeout(timer);
      fail(complained.trim().split("\n")[0] || `it ended with code ${code}`);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complained = `${complained}${chunk}`.slice(-2_000);
    });
    // Read to the end: a full pipe would stop anvil.
    child.stdout?.on("data", (chunk: Buffer) => {
      printed = `${printed}${chunk}`.slice(-2_000);
      const address = /Listening on (\S+:\d+)/.exec(printed)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(`http://${address}`);
    });
  });
}

/** Finds anvil: the package's program, from the working folder or from this package, then `PATH`. */
function findAnvil(): string | undefined {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const path = `${anvilPackage}-${process.platform}-${arch}/bin/${program}`;
  for (const folder of [process.cwd(), packageRoot]) {
    const found = resolveFrom(folder, path);
    if (found !== undefined) return found;
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** Resolves the platform's package, which some package managers install for `@foundry-rs/anvil` alone. */
function resolveFrom(folder: string, path: string): string | undefined {
  const require = createRequire(join(folder, "package.json"));
  const bases = [
    () => require,
    () => createRequire(realpathSync(require.resolve(`${anvilPackage}/bin.mjs`))),
  ];
  for (const base of bases) {
    try {
      const file = base().resolve(path);
      if (isExecutable(file)) return file;
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package of anvil, which forks by anvil need. */
const anvilPackage = "@foundry-rs/anvil";

/**
 * A fork by anvil was asked for, and anvil is not installed.
 *
 * @example
 * import { AnvilMissingError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof AnvilMissingError) console.log(error.message);
 * }
 */
export class AnvilMissingError extends BaseError {
  override readonly name = "AnvilMissingError";

  constructor() {
    super(
      `A fork by anvil needs the package \`${anvilPackage}\`: run \`npm install --save-dev ${anvilPackage}\`, or install Foundry.`,
      { code: "ANVIL_MISSING" },
    );
  }
}

/**
 * Anvil that ended before it listened, or listened too late.
 *
 * @example
 * import { AnvilFailedError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof AnvilFailedError) console.log(error.message);
 * }
 */
export class AnvilFailedError extends BaseError {
  override readonly name = "AnvilFailedError";

  constructor(reason: string) {
    super(`Anvil does not start: ${reason}.`, { code: "ANVIL_FAILED" });
  }
}
