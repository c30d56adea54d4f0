import { openStore } from "../../../../../emulator/store/openStore.ts";
import { addEvent, addRequest } from "../../support/requests.ts";

/** Stores one request, then holds a transaction with another one open until the process is killed. */
async function dieInTransaction(url: string): Promise<void> {
  const { store } = await openStore(url);
  await addRequest(store, { id: "0x01", order_id: "0x01" });
  await store.transaction().execute(async (transaction) => {
    await addRequest(transaction, { id: "0x02", order_id: "0x02" });
    await addEvent(transaction, { request_id: "0x02" });
    process.stdout.write("written\n");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
}

// Takes the database's URL; importing it runs nothing.
const [, script, url = ""] = process.argv;
if (script === import.meta.filename) await dieInTransaction(url);
