import type { Command } from "@commander-js/extra-typings";
import { BaseError } from "../../src/errors/BaseError.ts";
import { readCount, readIds, readMoment, readOrigins, readPorts } from "../flags/readFlags.ts";
import { replaceFile } from "../settings/readFiles.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** Adds the flags of everything that serves local chains. */
export const servingFlags = (command: Command) =>
  command
    .option("--host <hostname>", "address to listen on", "127.0.0.1")
    .option("--chains <count>", "how many local chains (default: 2; 1 with --fork)", readCount)
    .option("--chain-ids <ids>", "their ids, one a chain (default: from 31337 on)", readIds)
    .option(
      "--chain-ports <ports>",
      "where they listen, one a chain (default: from 8545 on, or free ones)",
      readPorts,
    )
    .option(
      "--now <time>",
      "when clock and local chains start: a date in ISO 8601, or unix seconds (default: now)",
      readMoment,
    )
    .option(
      "--cors <origins>",
      "pages that may use what is served: any, none, or origins (default: any)",
      readOrigins,
    )
    .option("--out <file>", "write addresses, accounts and URLs as JSON once everything can serve")
    .option("--quiet", "print nothing but errors");

type Served = {
  /** URLs, for `--out`. */
  readonly json: string;
  readonly out: string | undefined;
  /** Printed once the file is written. */
  readonly text: string;
  readonly stop: () => Promise<void>;
  /** Runs before the announcement. @default nothing */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Called after the announcement. */
  readonly onServing?: (() => void) | undefined;
};

/** Announces a started service, and stops it at Ctrl-C, SIGTERM or a closed pipe. */
export async function serve(
  { signal }: Terminal,
  { json, onServing, out, prepare, stop, text }: Served,
): Promise<void> {
  try {
    await prepare?.();
    if (out !== undefined) writeOut(out, json);
    process.stdout.write(text);
    onServing?.();
    await stopOf(signal);
  } finally {
    await stop();
  }
}

async function stopOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function writeOut(file: string, json: string): void {
  try {
    replaceFile(file, json);
  } catch (cause) {
    throw new BaseError(`${file} cannot be written.`, { cause, code: "OUT_NOT_WRITABLE" });
  }
}
