import { openStore } from "../../../../../emulator/store/openStore.ts";
import { requestRow } from "../../support/requests.ts";

/** Stores one request, begins to store another, says so and waits to be killed. */
async function dieInTransaction(url: string): Promise<void> {
  const { store } = await openStore(url);
  await store
    .insertInto("requests")
    .values(requestRow({ id: "0x01", order_id: "0x01" }))
    .execute();
  await store.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("requests")
      .values(requestRow({ id: "0x02", order_id: "0x02" }))
      .execute();
    await transaction
      .insertInto("events")
      .values({ at: 1, data: "{}", request_id: "0x02", status: "waiting", trigger: "quoted" })
      .execute();
    process.stdout.write("written\n");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
}

// Run with a database's URL; importing it runs nothing.
const [, script, url = ""] = process.argv;
if (script === import.meta.filename) await dieInTransaction(url);
