import { type ChildProcess, spawn } from "node:child_process";

/** Tests that depend on no other lane. */
export type Lane = { readonly name: string; readonly command: readonly [string, ...string[]] };

/** Exit codes after signals: 128 plus the signal's number. */
const INTERRUPTED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Interrupt = keyof typeof INTERRUPTED;

const isWindows = process.platform === "win32";
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Signals a lane's process group, so that an interrupt reaches what its tests started, the compiler included. */
function signalGroup({ exitCode, pid, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(isWindows ? pid : -pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * Runs lanes of tests in parallel, each to its end. Each free slot starts the next lane, so the longest should be first.
 *
 * A lane's output appears once it has ended, that of a single lane as it comes. An interrupt goes to every lane, and no other lane
 * starts; a second one kills.
 *
 * @param slots Number of lanes that run at once; default all.
 * @returns The exit code: 0 when every lane passed, 1 when any failed, 128 and the signal's number when interrupted.
 */
export async function runLanes(lanes: readonly Lane[], slots = lanes.length): Promise<number> {
  const isAlone = lanes.length === 1;
  const running = new Set<ChildProcess>();
  let interruptedBy: Interrupt | undefined;
  const stop = (signal: NodeJS.Signals) => {
    for (const child of running) signalGroup(child, signal);
  };
  const interrupt = (signal: Interrupt) => {
    stop(interruptedBy === undefined ? signal : "SIGKILL");
    interruptedBy ??= signal;
  };
  // Process groups outlive their parent if this process ends early, as it does when its output pipe closes.
  const leave = () => stop("SIGTERM");
  process.on("exit", leave);
  for (const signal of Object.keys(INTERRUPTED)) process.on(signal, interrupt);

  /** Runs a lane, shows its output, and returns why it failed. */
  const runLane = ({ command: [file, ...parameters], name }: Lane): Promise<string | undefined> => {
    const stdio = isAlone ? "inherit" : "pipe";
    const child = spawn(file, parameters, { detached: !isWindows, stdio: ["ignore", stdio, stdio] });
    running.add(child);
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => output.push(chunk));
    return new Promise((resolve) => {
      child.on("error", (error) => resolve(`could not start: ${error.message}`));
      child.on("close", (code, signal) => {
        running.delete(child);
        if (!isAlone && interruptedBy === undefined) {
          say(`\n=== ${name}`);
          process.stdout.write(Buffer.concat(output));
        }
        const failure = signal === null ? `failed with exit code ${code}` : `ended by ${signal}`;
        resolve(code === 0 ? undefined : failure);
      });
    });
  };

  const outcomes: string[] = [];
  let isFailed = false;
  // The slots share one iterator, so each lane starts once.
  const waiting = lanes.values();
  const runSlot = async () => {
    for (const lane of waiting) {
      if (interruptedBy !== undefined) return;
      const start = performance.now();
      const failure = await runLane(lane);
      isFailed ||= failure !== undefined;
      const seconds = Math.round((performance.now() - start) / 1000);
      outcomes.push(`${lane.name}: ${failure ?? "passed"} in ${seconds} s`);
    }
  };
  try {
    await Promise.all(Array.from({ length: slots }, runSlot));
  } finally {
    for (const signal of Object.keys(INTERRUPTED)) process.off(signal, interrupt);
    process.off("exit", leave);
  }
  if (interruptedBy !== undefined) {
    say(`\nInterrupted by ${interruptedBy}.`);
    return INTERRUPTED[interruptedBy];
  }
  if (!isAlone) say(`\n${outcomes.join("\n")}`);
  return isFailed ? 1 : 0;
}
