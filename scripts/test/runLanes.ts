import { type ChildProcess, spawn } from "node:child_process";

/** Tests that depend on no other lane. */
export type Lane = { readonly name: string; readonly command: readonly [string, ...string[]] };

type Outcome = { readonly lane: Lane; readonly failure: string | undefined; readonly seconds: string };

/** Exit codes after signals: 128 plus the signal's number. */
const INTERRUPTED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Interrupt = keyof typeof INTERRUPTED;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** A lane in a process group of its own, so that an interrupt reaches what its tests started, the compiler included. */
class QueuedLane {
  readonly lane: Lane;
  readonly outcome: Promise<Outcome>;
  readonly #end: (failure: string | undefined) => void;
  #child: ChildProcess | undefined;
  #held: Buffer[] | undefined = [];
  #startedAt = performance.now();

  constructor(lane: Lane) {
    this.lane = lane;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#end = (failure) =>
      resolve({ lane, failure, seconds: `${Math.round((performance.now() - this.#startedAt) / 1000)} s` });
  }

  start(): void {
    const [command, ...parameters] = this.lane.command;
    this.#startedAt = performance.now();
    // What is shown as it comes goes to the terminal itself, colours included.
    const stdio = this.#held === undefined ? "inherit" : "pipe";
    const child = spawn(command, parameters, {
      stdio: ["ignore", stdio, stdio],
      detached: process.platform !== "win32",
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        if (this.#held === undefined) process.stdout.write(chunk);
        else this.#held.push(chunk);
      });
    }
    child.on("error", (error) => this.#end(`could not start: ${error.message}`));
    child.on("close", (code, signal) =>
      this.#end(
        code === 0 ? undefined : signal === null ? `failed with exit code ${code}` : `ended by ${signal}`,
      ),
    );
  }

  /** Shows what the lane wrote so far, and from now on what it writes. */
  show(): void {
    for (const chunk of this.#held ?? []) process.stdout.write(chunk);
    this.#held = undefined;
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#child === undefined) {
      this.#end("not started");
      return;
    }
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/**
 * Runs lanes of tests in parallel, each to its end. Each free slot starts the next lane, so the longest should be first.
 *
 * The first lane's output appears as it comes, that of each other lane once the lanes before it have ended. An interrupt goes
 * to every lane, and no other lane starts; a second one kills.
 *
 * @param slots Number of lanes that run at once; default all.
 * @returns The exit code: 0 when every lane passed, 1 when any failed, 128 and the signal's number when interrupted.
 */
export async function runLanes(lanes: readonly Lane[], slots = lanes.length): Promise<number> {
  let interruptedBy: Interrupt | undefined;
  const queue = lanes.map((lane) => new QueuedLane(lane));
  const interrupt = (signal: Interrupt) => {
    const sent = interruptedBy === undefined ? signal : "SIGKILL";
    interruptedBy ??= signal;
    for (const lane of queue) lane.kill(sent);
  };
  const handlers = (Object.keys(INTERRUPTED) as Interrupt[]).map((signal) => {
    const handler = () => interrupt(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  // Process groups outlive their parent if this process ends early, as it does when its output pipe closes.
  const leave = () => {
    for (const lane of queue) lane.kill("SIGTERM");
  };
  process.on("exit", leave);
  // The slots share one iterator, so each lane starts once.
  const waiting = queue.values();
  const runSlot = async () => {
    for (const lane of waiting) {
      if (interruptedBy !== undefined) return;
      lane.start();
      await lane.outcome;
    }
  };
  try {
    queue[0]?.show();
    for (let slot = 0; slot < slots; slot++) void runSlot();
    const outcomes: Outcome[] = [];
    for (const [index, lane] of queue.entries()) {
      if (index > 0 && interruptedBy === undefined) {
        say(`\n=== ${lane.lane.name}`);
        lane.show();
      }
      outcomes.push(await lane.outcome);
    }
    if (interruptedBy !== undefined) {
      say(`\nInterrupted by ${interruptedBy}.`);
      return INTERRUPTED[interruptedBy];
    }
    if (lanes.length > 1) {
      say("");
      for (const { lane, failure, seconds } of outcomes)
        say(`${lane.name}: ${failure ?? "passed"} in ${seconds}`);
    }
    return outcomes.every(({ failure }) => failure === undefined) ? 0 : 1;
  } finally {
    for (const remove of handlers) remove();
    process.off("exit", leave);
  }
}
