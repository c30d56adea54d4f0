import { type ChildProcess, spawn } from "node:child_process";

/** Tests that depend on no other lane. */
export type Lane = { readonly name: string; readonly command: readonly [string, ...string[]] };

type Outcome = { readonly lane: Lane; readonly failure: string | undefined; readonly seconds: string };

/** Exit codes after signals: 128 plus the signal's number. */
const INTERRUPTED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Interrupt = keyof typeof INTERRUPTED;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** A lane in a process group of its own, so that an interrupt reaches what its tests started, the compiler included. */
class RunningLane {
  readonly lane: Lane;
  readonly outcome: Promise<Outcome>;
  readonly #child: ChildProcess;
  #held: Buffer[] | undefined = [];

  constructor(lane: Lane, isFirst: boolean) {
    this.lane = lane;
    if (isFirst) this.#held = undefined;
    const [command, ...parameters] = lane.command;
    const start = performance.now();
    // What is shown as it comes goes to the terminal itself, colours included.
    const stdio = isFirst ? "inherit" : "pipe";
    this.#child = spawn(command, parameters, {
      stdio: ["ignore", stdio, stdio],
      detached: process.platform !== "win32",
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        if (this.#held === undefined) process.stdout.write(chunk);
        else this.#held.push(chunk);
      });
    }
    this.outcome = new Promise((resolve) => {
      const end = (failure: string | undefined) =>
        resolve({ lane, failure, seconds: `${Math.round((performance.now() - start) / 1000)} s` });
      this.#child.on("error", (error) => end(`could not start: ${error.message}`));
      this.#child.on("close", (code, signal) =>
        end(
          code === 0 ? undefined : signal === null ? `failed with exit code ${code}` : `ended by ${signal}`,
        ),
      );
    });
  }

  /** Shows what the lane wrote so far, and from now on what it writes. */
  show(): void {
    for (const chunk of this.#held ?? []) process.stdout.write(chunk);
    this.#held = undefined;
  }

  kill(signal: NodeJS.Signals): void {
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
 * Runs lanes of tests in parallel, each to its end.
 *
 * The first lane's output appears as it comes, that of each other lane once the lanes before it have ended. An interrupt goes
 * to every lane; a second one kills.
 *
 * @returns The exit code: 0 when every lane passed, 1 when any failed, 128 and the signal's number when interrupted.
 */
export async function runLanes(lanes: readonly Lane[]): Promise<number> {
  let interruptedBy: Interrupt | undefined;
  const running = lanes.map((lane, index) => new RunningLane(lane, index === 0));
  const interrupt = (signal: Interrupt) => {
    for (const lane of running) lane.kill(interruptedBy === undefined ? signal : "SIGKILL");
    interruptedBy ??= signal;
  };
  const handlers = (Object.keys(INTERRUPTED) as Interrupt[]).map((signal) => {
    const handler = () => interrupt(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  // Process groups outlive their parent if this process ends early, as it does when its output pipe closes.
  const leave = () => {
    for (const lane of running) lane.kill("SIGTERM");
  };
  process.on("exit", leave);
  try {
    const outcomes: Outcome[] = [];
    for (const [index, lane] of running.entries()) {
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
