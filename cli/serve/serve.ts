import { writeOut } from "./writeOut.ts";

type Served = {
  /** URLs, for `--out`. */
  readonly json: string;
  readonly out: string | undefined;
  /** Printed once the file is written. */
  readonly text: string;
  readonly stop: () => Promise<void>;
};

/** Announces a started service, and stops it at the first SIGINT or SIGTERM. A second signal ends the process at once. */
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
  // Open connections of clients to the chains' servers would keep the process alive.
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
