import { CommandError } from "./CommandError.ts";
import { exitCodes } from "./exitCodes.ts";

/** The reason of a stop from outside. */
export class Stop extends CommandError {}

const stopped = new AbortController();

/** Fires at the first stop; its reason is a {@link Stop}. */
export const stopSignal = stopped.signal;

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

/** Listens for Ctrl-C, SIGTERM and a closed pipe. A second signal ends the process at once. */
export function listenForStops(): void {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  const stop = (name: keyof typeof codes) => {
    for (const each of names) process.removeListener(each, stop);
    stopped.abort(new Stop("Interrupted.", { code: "INTERRUPTED", exitCode: codes[name] }));
  };
  for (const name of names) process.on(name, stop);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    stopped.abort(
      new Stop("The output was closed.", { code: "CLOSED_PIPE", exitCode: exitCodes.closedPipe }),
    );
  });
  // Nothing can be reported once stderr is closed.
  process.stderr.on("error", () => undefined);
}

/** Reads the stop from outside, if there was one. */
export function readStop(): Stop | undefined {
  return stopSignal.reason instanceof Stop ? stopSignal.reason : undefined;
}
