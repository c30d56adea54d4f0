import { expect } from "chai";
import { countOf } from "../test/helpers/tally.ts";
import { shareRuns } from "./support/shareRuns.ts";

describe("20,000 quotes that a hostile service changed", () => {
  it("are refused, or cost the user no more than the bound and bring the recipient no less", async function () {
    this.timeout(3_600_000);
    const tally = await shareRuns("quotes", 20_000);
    expect(countOf(tally, "accepted")).to.be.greaterThan(500);
  });
});
