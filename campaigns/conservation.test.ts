import { expect } from "chai";
import { type ConservationStage, startConservation } from "../test/helpers/conservation/runConservation.ts";
import { runPaths } from "../test/helpers/conservation/runPaths.ts";
import { paymentKinds } from "../test/helpers/kills/paymentPlans.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const intents = 1_000;
const batch = 100;
/** Each run makes 100 payments in 10 to 20 seconds. */
const runs = sizeOf(4, 16);

describe("money over 1,000 random intents on two chains, with random faults", () => {
  let stage: ConservationStage;
  before(async () => {
    stage = await startConservation();
  });
  after(() => stage.stop());

  it("is conserved to the wei, and each intent ends as its request says", async function () {
    this.timeout(1_200_000);
    // A seed is of one batch, so that one that fails can be had again alone.
    const given = process.env.WAYBILL_SEED;
    const seed = campaignSeed("conservation");
    const ends: Record<string, number> = {};
    for (let done = 0; done < intents; done += batch) {
      const own = given ?? `${seed} ${done}`;
      const { problems, report } = await stage.run(own, batch);
      for (const [end, count] of Object.entries(report)) ends[end] = (ends[end] ?? 0) + count;
      progress(`${done + batch} of ${intents}: ${JSON.stringify(report)}`);
      expect(problems, `WAYBILL_SEED="${own}" has it again`).to.deep.equal([]);
      if (given !== undefined) return;
    }
    expect(ends).to.include.all.keys("success", "refund", "failure", "waiting");
  });
});

describe("money over hundreds of payments of every kind, on EVM chains, exchange and SVM chain, with random faults and reorgs", () => {
  it("is conserved to the unit on all ledgers together, and each payment ends as its kind says", async function () {
    this.timeout(1_200_000);
    const seed = campaignSeed("payments of every kind");
    const drawn = new Set<string>();
    const effects = new Set<string>();
    for (let run = 0; run < runs; run++) {
      const { kinds, reorgs } = await runPaths(`${seed} ${run}`, 100);
      for (const kind of Object.keys(kinds)) drawn.add(kind);
      for (const effect of Object.keys(reorgs)) effects.add(effect);
      progress(
        `${(run + 1) * 100} of ${runs * 100} payments, ${drawn.size} of ${paymentKinds.length} kinds, ${JSON.stringify(reorgs)}`,
      );
    }
    expect([...drawn].sort()).to.deep.equal([...paymentKinds].sort());
    expect([...effects]).to.include.members([
      ...["mined again", "sent again", "lost"],
      ...["deposit-reorged", "deposit-returned", "fill-reorged", "refund-reorged"],
    ]);
  });
});
