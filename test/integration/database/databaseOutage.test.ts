import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Address, Hex } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, getQuote, getStatus } from "../../../src/client/index.ts";
import { type TestChain, testChain } from "../../helpers/emulatorFixture.ts";
import { type OwnPostgresServer, startPostgresServer } from "../../helpers/processes/postgresServer.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("an emulator whose PostgreSQL fails", function () {
  this.timeout(60_000);
  let server: OwnPostgresServer;
  let folder: string;
  let database: string;
  let emulator: SpawnedEmulator;
  let info: EmulatorInfo;
  before(async () => {
    server = await startPostgresServer();
    folder = await mkdtemp(join(tmpdir(), "waybill-outage-"));
    database = await server.createDatabase();
    const out = join(folder, "emulator.json");
    emulator = spawnEmulator([
      "--port",
      "0",
      "--chain-ports",
      "0,0",
      "--db",
      database,
      "--out",
      out,
      "--quiet",
    ]);
    info = await readOut(out, emulator, 40_000);
  });
  after(async () => {
    emulator?.child.kill("SIGKILL");
    await emulator?.exited;
    await server?.stop();
    await rm(folder, { force: true, recursive: true });
  });

  const chains = () => info.chains.map(testChain) as unknown as readonly [TestChain, TestChain];
  const client = () => createClient({ baseUrl: info.apiUrl, sleep: quickSleep });
  function intent() {
    const [alpha, beta] = chains();
    return bridgeIntent({ alpha, beta }, { recipient: fresh() });
  }
  /** Requests quotes until stopped, eight at once; resolves with the number of answers of each status. */
  function startLoad() {
    let isStopped = false;
    const statuses = new Map<number, number>();
    const work = async () => {
      while (!isStopped) {
        const answer = await postJson(`${info.apiUrl}/quote`, intent());
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 503) expect(answer.headers.get("retry-after")).to.equal("1");
      }
    };
    const working = Promise.all(Array.from({ length: 8 }, work));
    working.catch(() => undefined);
    return async () => {
      isStopped = true;
      await working;
      return statuses;
    };
  }

  it("connections cut ten times under load end no process, and no answer is a 500", async () => {
    const stop = startLoad();
    for (let cut = 0; cut < 10; cut++) {
      await pause(100);
      await server.cutConnections(database);
    }
    const statuses = await stop();
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
    expect(emulator.child.exitCode, emulator.output().stderr).to.equal(null);
  });

  it("a server away for three seconds under load: 503 with Retry-After, one line, then it fills the deposits of that time", async () => {
    const [alpha] = chains();
    const quote = await getQuote(client(), intent());
    const before = emulator.output().stderr.length;
    const stop = startLoad();
    await pause(200);
    await server.halt();
    await pause(1_000);
    const deposit = quote.steps[0]?.items[0]?.data as { to: Address; data: Hex; value: string };
    await alpha
      .wallet(0)
      .sendTransaction({ data: deposit.data, to: deposit.to, value: BigInt(deposit.value) });
    await pause(2_000);
    await server.resume();
    await until(
      async () => (await fetch(`${info.apiUrl}/chains/liquidity?chainId=${alpha.info.id}`)).ok || undefined,
      "an answer after the outage",
    );
    const statuses = await stop();
    expect(statuses.get(503)).to.be.above(0);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
    await until(async () => {
      const { status } = await getStatus(client(), { requestId: idOf(quote) });
      return status === "success" || undefined;
    }, "the fill of what was paid during the outage");
    expect(emulator.child.exitCode).to.equal(null);
    // At most one line for the outage; an outage within ten seconds of the cuts belongs to theirs.
    expect(emulator.output().stderr.slice(before).split("\n").length - 1).to.be.at.most(1);
  });
});
