import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { pause, type Receiver, startReceiver, until } from "./support/receiver.ts";
import { manualClock, startBench } from "./support/webhookBench.ts";

const postAndHang = fileURLToPath(new URL("support/postAndHang.ts", import.meta.url));

forEachStore("webhooks of several runs", (kind) => {
  if (!kind.isLasting) return;
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const { stop } of receivers.splice(0)) await stop();
  });

  async function receiver(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
    const started = await startReceiver(...parameters);
    receivers.push(started);
    return started;
  }

  it("continue after a restart in the middle of a retry, with events written meanwhile, without repetition", async () => {
    const url = await kind.newUrl();
    const clock = manualClock();
    const there = await receiver((response, { event, index }) => {
      response.writeHead(event.data.status === "pending" && index < 3 ? 500 : 200).end();
    });
    const opened = await kind.open(url);
    const first = await startBench(opened, clock);
    await first.webhooks.set(first.keys[0]?.id ?? "", { url: there.url });
    const id = await first.request();
    await first.reach(id, "pending");
    await until(async () => (await first.deliveries())[0]?.attempts.length === 1);
    await first.webhooks.stop();
    await first.reach(id, "submitted");
    await opened.close();

    const second = await startBench(await kind.open(url), clock);
    await second.reach(id, "success");
    await pause();
    expect(there.statuses()).to.deep.equal(["waiting", "pending"]);
    clock.advance(1_000);
    await until(async () => (await second.deliveries()).at(-2)?.attempts.length === 2);
    clock.advance(2_000);
    await until(async () => (await second.deliveries()).every(({ state }) => state === "delivered"));
    await second.webhooks.stop();
    expect(there.statuses()).to.deep.equal([
      ...["waiting", "pending", "pending", "pending", "submitted", "success"],
    ]);
  });

  it("deliver again what a killed process was delivering, in order, and each status at least once", async () => {
    const database = await kind.newUrl();
    const there = await receiver(async (response, { index }) => {
      if (index === 0) {
        child.kill("SIGKILL");
        await ended;
      }
      response.writeHead(200).end();
    });
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", postAndHang, database, there.url],
      { stdio: "inherit" },
    );
    const ended = once(child, "exit");
    await ended;
    let skewMs = 0;
    const opened = await kind.open(database);
    const here = await startBench(opened, manualClock(), { wallNow: () => Date.now() + skewMs });
    if (kind.isShared) {
      // The other process may still be at it, for all that this one can see.
      await pause();
      expect(there.received).to.have.length(1);
      skewMs = 15_001;
    }
    await until(
      async () => (await here.deliveries()).filter(({ state }) => state === "delivered").length === 2,
    );
    await here.webhooks.stop();
    expect(there.statuses()).to.deep.equal(["waiting", "waiting", "success"]);
  });

  if (!kind.isShared) return;

  it("share the work of one database: each status is posted by one of them, in order", async () => {
    const url = await kind.newUrl();
    const clock = manualClock();
    const there = await receiver(async (response) => {
      await pause(Math.random() * 5);
      response.writeHead(200).end();
    });
    const benches = [
      await startBench(await kind.open(url), clock),
      await startBench(await kind.open(url), clock),
      await startBench(await kind.open(url), clock),
    ] as const;
    await benches[0].webhooks.set(benches[0].keys[0]?.id ?? "", { url: there.url });
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => benches[index % 2 === 0 ? 0 : 1].request()),
    );
    for (const status of ["pending", "submitted", "success"] as const) {
      await Promise.all(ids.map((id, index) => benches[index % 2 === 0 ? 1 : 2].reach(id, status)));
    }
    await until(() => there.received.length >= 80);
    await pause();
    for (const id of ids) {
      expect(there.statuses(id)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    }
    for (const { log, webhooks } of benches) {
      await webhooks.stop();
      expect(log).to.deep.equal([]);
    }
  });
});
