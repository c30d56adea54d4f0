import { expect } from "chai";
import { reorg } from "../test/helpers/model/commands.ts";
import { paymentKinds } from "../test/helpers/model/paymentKinds.ts";
import { runModel } from "../test/helpers/model/runModel.ts";
import { openInside } from "../test/helpers/model/worlds.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const runs = sizeOf(8, 32);
/** About 100 payments. */
const rounds = 30;

describe("money over hundreds of payments of every kind, on EVM chains, exchange and SVM chain, with random faults and reorgs", () => {
  it("is conserved to the unit on all ledgers together, and each payment ends as its kind says", async function () {
    this.timeout(3_600_000);
    // A seed is of one run, so that one that fails can be had again alone.
    const given = process.env.WAYBILL_SEED;
    const seed = campaignSeed("conservation");
    const drawn = new Set<string>();
    for (let run = 0; run < (given === undefined ? runs : 1); run++) {
      const own = given ?? `${seed} ${run}`;
      progress(`WAYBILL_SEED="${own}"`);
      const report = await runModel({ open: openInside, progress, rounds, seed: own, troubles: [reorg] });
      for (const name of [...Object.keys(report.kinds), ...Object.keys(report.reorgs)]) drawn.add(name);
    }
    if (given !== undefined) return;
    expect([...drawn]).to.include.members([
      ...paymentKinds,
      ...["mined again", "sent again", "lost"],
      ...["deposit-reorged", "deposit-returned", "fill-reorged", "refund-reorged"],
    ]);
  });
});
