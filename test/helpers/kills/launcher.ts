import { join } from "node:path";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { readOut, spawnEmulator } from "../processes/spawnEmulator.ts";

/** Time limit of a start on a busy machine, in milliseconds. */
const startMs = 60_000;

/** An emulator in a process of its own. */
export type Launched = {
  readonly ready: Promise<{ readonly info: EmulatorInfo }>;
  kill(): Promise<void>;
};

/**
 * Restarts the command with all ledgers over the same chains and database, on the same port, so that clients find it.
 *
 * @param folder Folder of the start-up documents.
 */
export function launcher(
  chains: readonly { readonly id: number; readonly rpcUrl: string }[],
  database: string,
  folder: string,
): () => Launched {
  const where = chains.flatMap(({ id, rpcUrl }) => ["--chain", `${id}=${rpcUrl}`]);
  let port = 0;
  let count = 0;
  return () => {
    const out = join(folder, `emulator-${count++}.json`);
    const flags = [
      "--port",
      String(port),
      "--db",
      database,
      "--out",
      out,
      "--quiet",
      "--perps",
      "--svm",
      ...where,
    ];
    const spawned = spawnEmulator(flags);
    let isKilled = false;
    const ready = readOut(out, spawned, startMs).then((info) => {
      port = Number(new URL(info.apiUrl).port);
      return { info };
    });
    // The promise of a process that is killed before it is ready rejects, and no caller awaits it.
    ready.catch(() => undefined);
    return {
      kill: async () => {
        if (isKilled) return;
        isKilled = true;
        const { exitCode } = spawned.child;
        spawned.child.kill("SIGKILL");
        await spawned.exited;
        if (exitCode !== null) throw new Error(`the emulator ended by itself: ${spawned.output().stderr}`);
      },
      ready,
    };
  };
}
