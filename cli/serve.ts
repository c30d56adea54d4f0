import { writeOut } from "./writeOut.ts";

type Served = {
  /** Addresses, for `--out`. */
  readonly json: string;
  readonly out: string | undefined;
  /** Printed once the file is written. */
  readonly text: string;
  readonly stop: () => Promise<void>;
};

/** Announces what was started, stops it at the first SIGINT or SIGTERM, and ends the process. A second signal ends it at once. */
export async function serve({ json, out, stop, text }: Served): Promise<never> {
  // Listens before the announcement: a client that waits for the file may send the signal immediately.
  const stopped = stopSignal();
  try {
    if (out !== undefined) await writeOut(out, json);
    process.stdout.write(text);
    await stopped;
  } finally {
    await stop();
  }
  // Connections that clients keep to the chains' servers would hold the process.
  process.exit(process.exitCode ?? 0);
}

async function stopSignal(): Promise<void> {
  const signals = ["SIGINT", "SIGTERM"] as const;
  await new Promise<void>((resolve) => {
    const stop = () => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
