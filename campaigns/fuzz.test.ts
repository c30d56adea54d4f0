import { runFuzz } from "../test/helpers/fuzz/runFuzz.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";

const count = sizeOf(100_000, 1_000_000);

describe("the API under 100,000 fuzzed requests, or a million in the long lane", () => {
  it("answers them without a 5xx, without an error in the log and without filling the memory", async function () {
    this.timeout(4 * 3_600_000);
    const seed = Number.parseInt(campaignSeed(`${Date.now() % 1_000_000_000}`), 10) || 1;
    await runFuzz({ count, progress, seed });
  });
});
