import { BaseError } from "../../src/errors/BaseError.ts";
import { replaceFile } from "../settings/readFiles.ts";
import type { Terminal } from "../terminal/Terminal.ts";

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
