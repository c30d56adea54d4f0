import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startFixture } from "../emulatorFixture.ts";
import type { Secrets } from "./fuzzedSample.ts";
import { collectSamples, type Sample } from "./fuzzSamples.ts";

/** Message of the process once it serves. */
export type FuzzedReady = Secrets & {
  readonly apiUrl: string;
  /** Requests that it has understood. */
  readonly samples: readonly Sample[];
};
/** Answer of the process: its memory after a garbage collection, and the errors logged since the last answer. */
export type FuzzedState = {
  /** Bytes of the JavaScript heap in use. */
  readonly heapUsed: number;
  /** Resident bytes of the process, including native memory of database and chains, and free heap. */
  readonly rss: number;
  readonly errors: readonly string[];
};

/** An emulator in a process of its own, whose memory excludes the clients'. */
async function serve(database: string): Promise<void> {
  const errors: string[] = [];
  const fixture = await startFixture({
    // Stored quotes are not a leak: in a file they take no memory.
    database,
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
    perps: true,
    svm: true,
  });
  const { info } = fixture.emulator;
  const samples = await collectSamples(fixture);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("message", () => {
    collect();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ errors: errors.splice(0), heapUsed, rss } satisfies FuzzedState);
  });
  process.on("disconnect", () => process.exit());
  const { adminKey, apiKeys, apiUrl } = info;
  process.send?.({ adminKey, apiKey: apiKeys[0]?.key ?? "", apiUrl, samples } satisfies FuzzedReady);
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2] ?? "");
