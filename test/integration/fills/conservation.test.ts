import { expect } from "chai";
import { type ConservationStage, startConservation } from "../../helpers/conservation/runConservation.ts";
import { runPaths } from "../../helpers/conservation/runPaths.ts";
import { runKills } from "../../helpers/kills/runKills.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";

describe("conservation of money", () => {
  let stage: ConservationStage;
  before(async () => {
    stage = await startConservation();
  });
  after(() => stage?.stop());

  it("50 random intents with random faults conserve money to the wei, and each ends as its request says", async function () {
    this.timeout(120_000);
    const { problems, report } = await stage.run("fifty intents", 50);
    expect(problems).to.deep.equal([]);
    expect(report).to.include.all.keys("success", "refund");
  });

  it("40 payments of all kinds with random faults and reorgs conserve money to the unit on EVM chains, exchange and SVM chain together", async function () {
    this.timeout(120_000);
    const { kinds } = await runPaths("forty payments", 40);
    expect(Object.keys(kinds).length).to.be.greaterThan(20);
  });
});

forEachStore("an emulator that is killed twice while it is paid", (kind) => {
  // A shared PostgreSQL reassigns a dead process's work only after its lease: the campaign covers that.
  if (!kind.isLasting || kind.isShared) return;

  it("fills or refunds each deposit once, ends each request, and posts each status in order", async function () {
    this.timeout(180_000);
    await runKills({ database: await kind.newUrl(), kills: 2, seed: "two kills" });
  });
});
