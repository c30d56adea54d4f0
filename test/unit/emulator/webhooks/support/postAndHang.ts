import { openStore } from "../../../../../emulator/store/openStore.ts";
import { manualClock, startBench } from "./webhookBench.ts";

// Run with a database's URL and a receiver's: makes one request with two statuses, and waits to be killed.
const [, , database = "", url = ""] = process.argv;
const bench = await startBench(await openStore(database), manualClock());
await bench.webhooks.set(bench.keys[0]?.id ?? "", { url });
const id = await bench.request();
await bench.reach(id, "success");
setTimeout(() => {}, 60_000);
