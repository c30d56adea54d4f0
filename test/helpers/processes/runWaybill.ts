import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache } from "./spawnEmulator.ts";

/** A command that ran. */
export type RanCommand = {
  /** Exit code, or the signal that ended the process. */
  readonly code: number | NodeJS.Signals;
  readonly err: string;
  readonly out: string;
};

export type RunOptions = {
  /** Closes the reading end of stdout at once. */
  readonly closesPipe?: boolean | undefined;
  /** Closes the reading end of stdout once the output has this text. */
  readonly closesPipeAt?: string | undefined;
  readonly cwd?: string | undefined;
  /** Written to stdin. */
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Called with all of stdout so far. */
  readonly onOutput?: ((out: string) => void) | undefined;
  /** Called with the running process, to send it a signal. */
  readonly onStart?: ((kill: (signal: NodeJS.Signals) => void) => void) | undefined;
};

const cli = new URL("../../../cli/waybill.ts", import.meta.url).pathname;

/** Environment of a command without the settings of this machine. What it keeps between runs stays out of the user's home. */
export const bareEnvironment = () => ({
  PATH: process.env["PATH"],
  XDG_STATE_HOME: join(tmpdir(), "waybill-test-state"),
});

/** Runs `waybill` in a process of its own, without the settings of this machine. */
export function runWaybill(args: readonly string[], options: RunOptions = {}): Promise<RanCommand> {
  const { closesPipe = false, closesPipeAt, cwd = tmpdir(), env = {}, input, onOutput, onStart } = options;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", cli, ...args], {
    cwd,
    env: { ...compileCache, ...bareEnvironment(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const written = { err: "", out: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    written.out += chunk.toString();
    onOutput?.(written.out);
    if (closesPipeAt !== undefined && written.out.includes(closesPipeAt)) child.stdout.destroy();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    written.err += chunk.toString();
  });
  if (closesPipe) child.stdout.destroy();
  onStart?.((signal) => child.kill(signal));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ ...written, code: code ?? signal ?? -1 }));
  });
}
