import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { pause, until } from "../support/waiting.ts";
import { manualClock, startBench, useBench } from "./support/webhookBench.ts";

const postAndHang = fileURLToPath(new URL("support/postAndHang.ts", import.meta.url));

forEachStore("runDeliveries", (kind) => {
  if (!kind.isLasting) return;
  const { receiver } = useBench(kind);

  it("a restart during a retry: continues with the retry, then later events, and repeats none", async () => {
    const url = await kind.newUrl();
    const clock = manualClock();
    const there = await receiver((response, { event, index }) => {
      response.writeHead(event.data.status === "pending" && index < 3 ? 500 : 200).end();
    });
    const opened = await kind.open(url);
    const first = await startBench(opened, clock);
    await first.hook(there.url);
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
    const pending = ["pending", "pending", "pending"];
    expect(there.statuses()).to.deep.equal(["waiting", ...pending, "submitted", "success"]);
  });

  it("a process killed during a delivery: the next one delivers it again, then the rest in order", async () => {
    const database = await kind.newUrl();
    const there = await receiver(async (response, { index }) => {
      if (index === 0) {
        child.kill("SIGKILL");
        await ended;
      }
      response.writeHead(200).end();
    });
    const parameters = ["--disable-warning=ExperimentalWarning", postAndHang, database, there.url];
    const child = spawn(process.execPath, parameters, { stdio: "inherit" });
    const ended = once(child, "exit");
    await ended;
    let skewMs = 0;
    const opened = await kind.open(database);
    const here = await startBench(opened, manualClock(), { wallNow: () => Date.now() + skewMs });
    if (kind.isShared) {
      // This process must assume that the killed one is still delivering.
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

  it("three processes of one database: each status is posted by one of them, in order", async () => {
    const url = await kind.newUrl();
    const clock = manualClock();
    const there = await receiver(async (response) => {
      await pause(Math.random() * 5);
      response.writeHead(200).end();
    });
    const [first, second, third] = [
      await startBench(await kind.open(url), clock),
      await startBench(await kind.open(url), clock),
      await startBench(await kind.open(url), clock),
    ] as const;
    await first.hook(there.url);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).request()),
    );
    for (const status of ["pending", "submitted", "success"] as const) {
      await Promise.all(ids.map((id, index) => (index % 2 === 0 ? second : third).reach(id, status)));
    }
    await until(() => there.received.length >= 80);
    await pause();
    for (const id of ids) {
      expect(there.statuses(id)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    }
    for (const { log, webhooks } of [first, second, third]) {
      await webhooks.stop();
      expect(log).to.deep.equal([]);
    }
  });
});
