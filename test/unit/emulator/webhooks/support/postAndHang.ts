import { openStore } from "../../../../../emulator/store/openStore.ts";
import { manualClock, startBench } from "./webhookBench.ts";

/** Makes one request with two statuses, and waits to be killed. */
async function postAndHang(database: string, url: string): Promise<void> {
  const bench = await startBench(await openStore(database), manualClock());
  await bench.webhooks.set(bench.keys[0]?.id ?? "", { url });
  const id = await bench.request();
  await bench.reach(id, "success");
  setTimeout(() => {}, 60_000);
}

// Run with a database's URL and a receiver's; importing it runs nothing.
const [, script, database = "", url = ""] = process.argv;
if (script === import.meta.filename) await postAndHang(database, url);
