import type { Terminal } from "../terminal/Terminal.ts";
import { writeOut } from "./writeOut.ts";

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
    if (out !== undefined) await writeOut(out, json);
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
