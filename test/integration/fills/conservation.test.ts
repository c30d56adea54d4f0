import { expect } from "chai";
import { type ConservationStage, startConservation } from "../../helpers/conservation/runConservation.ts";

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
});
