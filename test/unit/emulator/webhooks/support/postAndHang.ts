import { openStore } from "../../../../../emulator/store/openStore.ts";
import { manualClock, startBench } from "./webhookBench.ts";

/** Moves a request through two statuses, then waits until the process is killed. */
async function postAndHang(database: string, url: string): Promise<void> {
  const bench = await startBench(await openStore(database), manualClock());
  await bench.hook(url);
  const id = await bench.request();
  await bench.reach(id, "success");
  setTimeout(() => {}, 60_000);
}

// Takes the URLs of a database and a receiver; importing it runs nothing.
const [, script, database = "", url = ""] = process.argv;
if (script === import.meta.filename) await postAndHang(database, url);
