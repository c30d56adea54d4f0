import { expect } from "chai";
import { paymentKinds } from "../test/helpers/kills/paymentPlans.ts";
import { runKills } from "../test/helpers/kills/runKills.ts";
import { startPostgresServer } from "../test/helpers/processes/postgresServer.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const kills = sizeOf(12, 200);

describe("three emulators of one PostgreSQL that are killed while it restarts and they are paid in every way", () => {
  it("lose and double nothing, to the unit, post each status in order, and end by kills alone", async function () {
    this.timeout(3_600_000);
    const server = await startPostgresServer();
    try {
      const database = await server.createDatabase();
      const seed = campaignSeed("replica kills");
      const report = await runKills({ blockMs: 200, database, kills, progress, replicas: 3, seed, server });
      progress(`${kills} kills survived: ${JSON.stringify(report)}`);
      expect(report.kinds, "kinds of payment").to.equal(paymentKinds.length);
      expect(report.outages, "restarts and cuts").to.be.greaterThan(0);
    } finally {
      await server.stop();
    }
  });
});
