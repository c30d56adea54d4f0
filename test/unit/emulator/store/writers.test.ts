import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { applyTrigger, TransitionRefusedError } from "../../../../emulator/requests/applyTrigger.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestId, requestRow } from "../support/requests.ts";

const dieInTransaction = fileURLToPath(new URL("support/dieInTransaction.ts", import.meta.url));
const idOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}`;

forEachStore("writers at the same time", (kind) => {
  /** Two that write into one database: two processes' worth where it can be shared. */
  async function writers(): Promise<readonly [Store, Store]> {
    const url = await kind.newUrl();
    const { store } = await kind.open(url);
    return [store, kind.isShared ? (await kind.open(url)).store : store];
  }

  it("all get what they wrote stored, with one event each", async () => {
    const stores = await writers();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        insertRequest(
          stores[index % 2 === 0 ? 0 : 1],
          requestRow({ id: idOf(index), order_id: idOf(index) }),
        ),
      ),
    );
    const requests = await stores[0].selectFrom("requests").select("id").orderBy("id").execute();
    expect(requests.map(({ id }) => id)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => idOf(index)),
    );
    const events = await stores[0].selectFrom("events").select("request_id").orderBy("request_id").execute();
    expect(events.map(({ request_id }) => request_id)).to.deep.equal(requests.map(({ id }) => id));
  });

  it("cannot move one request twice by the same trigger", async () => {
    const stores = await writers();
    await insertRequest(stores[0], requestRow());
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        failureOf(
          stores[index % 2 === 0 ? 0 : 1]
            .transaction()
            .execute((transaction) =>
              applyTrigger(transaction, requestId, { trigger: "deposit-accepted" }, 2_000),
            ),
        ),
      ),
    );
    expect(attempts.filter((error) => error === undefined)).to.have.length(1);
    for (const error of attempts) {
      if (error !== undefined) expect(error).to.be.instanceOf(TransitionRefusedError);
    }
    expect(await stores[0].selectFrom("events").select("trigger").orderBy("seq").execute()).to.deep.equal([
      { trigger: "quoted" },
      { trigger: "deposit-accepted" },
    ]);
  });

  it("do not wait for each other for ever, in whatever order they touch what", async () => {
    const stores = await writers();
    for (const index of [1, 2]) {
      await insertRequest(stores[0], requestRow({ id: idOf(index), order_id: idOf(index) }));
    }
    const touch = (store: Store, ids: readonly number[]) =>
      store.transaction().execute(async (transaction) => {
        for (const index of ids) {
          await applyTrigger(transaction, idOf(index), { trigger: "fill-failed" }, 1);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      });
    await stores[0].updateTable("requests").set({ status: "pending" }).execute();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? touch(stores[0], [1, 2]) : touch(stores[1], [2, 1]),
      ),
    );
    const { count } = await stores[0]
      .selectFrom("events")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("trigger", "=", "fill-failed")
      .executeTakeFirstOrThrow();
    expect(count).to.equal(40);
  });

  if (!kind.isLasting) return;

  it("leave nothing of a transaction in which they are killed, and block no other writer", async () => {
    const url = await kind.newUrl();
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", dieInTransaction, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [written] = (await once(child.stdout, "data")) as [Buffer];
    expect(String(written)).to.equal("written\n");
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    const { store } = await kind.open(url);
    await insertRequest(store, requestRow({ id: "0x03", order_id: "0x03" }));
    expect(await store.selectFrom("requests").select("id").orderBy("id").execute()).to.deep.equal([
      { id: "0x01" },
      { id: "0x03" },
    ]);
    expect(await store.selectFrom("events").select("request_id").execute()).to.deep.equal([
      { request_id: "0x03" },
    ]);
  });
});
