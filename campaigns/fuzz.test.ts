import { runFuzz } from "../test/helpers/runFuzz.ts";
import { campaignSeed, progress } from "./support/campaign.ts";

describe("the API under very many requests that nobody means", () => {
  it("answers 100,000 of them without a 5xx, without an error in the log and without filling the memory", async function () {
    this.timeout(1_200_000);
    const seed = Number.parseInt(campaignSeed(`${Date.now() % 1_000_000_000}`), 10) || 1;
    await runFuzz({ count: 100_000, progress, seed });
  });
});
