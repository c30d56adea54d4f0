import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startEmulator } from "../../../emulator/index.ts";

/** What the process says when it can serve. */
export type FuzzedReady = { readonly apiUrl: string; readonly apiKey: string };
/** What it says when it is asked: its memory after a collection of garbage, and the errors it has logged since. */
export type FuzzedState = {
  /** Bytes of JavaScript: what code holds on to. */
  readonly heapUsed: number;
  /** Bytes of the whole process: with the database's and the chains' native memory, and room that the heap keeps. */
  readonly rss: number;
  readonly errors: readonly string[];
};

/** An emulator in a process of its own, whose memory holds nothing of those who send. */
async function serve(database: string): Promise<void> {
  const errors: string[] = [];
  const { info } = await startEmulator({
    chainPorts: [0, 0],
    // Quotes are kept, which is no leak: in a file they take no memory.
    database,
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
    port: 0,
  });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("message", () => {
    collect();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ errors: errors.splice(0), heapUsed, rss } satisfies FuzzedState);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ apiKey: info.apiKeys[0]?.key ?? "", apiUrl: info.apiUrl } satisfies FuzzedReady);
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2] ?? "");
