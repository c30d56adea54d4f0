import type { Terminal } from "../terminal/Terminal.ts";
import { writeOut } from "./writeOut.ts";

type Served = {
  /** URLs, for `--out`. */
  readonly json: string;
  readonly out: string | undefined;
  /** Printed once the file is written. */
  readonly text: string;
  readonly stop: () => Promise<void>;
};

/** Announces a started service, and stops it at Ctrl-C, SIGTERM or a closed pipe. */
export async function serve({ signal }: Terminal, { json, out, stop, text }: Served): Promise<void> {
  try {
    if (out !== undefined) await writeOut(out, json);
    process.stdout.write(text);
    await stopOf(signal);
  } finally {
    await stop();
  }
}

async function stopOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
