import { expect } from "chai";
import { databaseOutage, kill } from "../test/helpers/model/commands.ts";
import { paymentKinds } from "../test/helpers/model/paymentKinds.ts";
import { runModel } from "../test/helpers/model/runModel.ts";
import { openProcesses } from "../test/helpers/model/worlds.ts";
import { startPostgresServer } from "../test/helpers/processes/postgresServer.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const rounds = sizeOf(20, 300);

describe("three emulators of one PostgreSQL that are killed while it restarts and they are paid in every way", () => {
  it("lose and double nothing, to the unit, post each status in order, and end by kills alone", async function () {
    this.timeout(3_600_000);
    const server = await startPostgresServer();
    try {
      const database = await server.createDatabase();
      const open = () => openProcesses({ blockMs: 200, database, replicas: 3, server });
      const seed = campaignSeed("replica kills");
      const troubles = [kill, databaseOutage];
      const { commands, kinds } = await runModel({ open, progress, rounds, seed, troubles });
      expect(kinds, "kinds of payment").to.have.all.keys(...paymentKinds);
      expect(commands, "troubles").to.include.all.keys("kill", "outage");
    } finally {
      await server.stop();
    }
  });
});
