import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChains } from "../emulator/index.ts";
import { checkPayments, settled } from "../test/helpers/kills/checks.ts";
import { launcher } from "../test/helpers/kills/launcher.ts";
import { startLoad } from "../test/helpers/kills/load.ts";
import { startPostgresServer } from "../test/helpers/processes/postgresServer.ts";
import { drawsOf } from "../test/helpers/seededDraws.ts";
import { campaignSeed, pause, progress, sizeOf } from "./support/campaign.ts";

const outages = sizeOf(6, 200);
const longestAwayMs = 1_500;
const longestRunMs = 1_000;

describe("two emulators whose PostgreSQL restarts and cuts connections while they are paid", () => {
  it("end by no outage, and fill or give back each deposit once", async function () {
    this.timeout(1_800_000);
    const seed = campaignSeed("outages");
    const draws = drawsOf(seed);
    const folder = await mkdtemp(join(tmpdir(), "waybill-outages-"));
    const server = await startPostgresServer();
    const database = await server.createDatabase();
    const { chains, close } = await startChains({ chainPorts: [0, 0] });
    const where = chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl }));
    const launched = await Promise.all(
      ["one", "two"].map(async (name) => {
        await mkdir(join(folder, name));
        return launcher(where, database, join(folder, name))();
      }),
    );
    try {
      const [first, ...others] = await Promise.all(launched.map(({ ready }) => ready));
      if (first === undefined) throw new Error("none was started");
      const load = await startLoad([first.info, ...others.map(({ info }) => info)], seed);
      for (let outage = 1; outage <= outages; outage++) {
        await pause(draws.whole(100, longestRunMs));
        if (draws.chance(0.5)) await server.cutConnections(database);
        else {
          await server.halt();
          await pause(draws.whole(0, longestAwayMs));
          await server.resume();
        }
        progress(`${outage} of ${outages} outages, ${load.payments.length} payments`);
      }
      const payments = await load.stop();
      await checkPayments(first.info, payments, await settled(first.info, payments));
      // Says so of one that has ended by itself.
      for (const { kill } of launched) await kill();
    } finally {
      await Promise.allSettled(launched.map(({ kill }) => kill()));
      await close();
      await server.stop();
      await rm(folder, { force: true, recursive: true });
    }
  });
});
