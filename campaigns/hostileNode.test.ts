import { expect } from "chai";
import { countOf } from "../test/helpers/tally.ts";
import { sizeOf } from "./support/campaign.ts";
import { shareRuns } from "./support/shareRuns.ts";

const runs = sizeOf(2_000, 20_000);

describe("2,000 executions through an attacker's node, or 20,000 in the long lane", () => {
  it("pay once at most, on the right chain and within the maximum fee, and say what is true", async function () {
    this.timeout(3_600_000);
    const tally = await shareRuns("nodes", runs);
    const told = Object.keys(tally.counts).filter((name) => name.startsWith("told "));
    const methods = (names: readonly string[]) =>
      [...new Set(names.map((name) => name.split(" ")[1] ?? ""))].sort();
    const lied = methods(told.filter((name) => !name.endsWith(" truth")));
    expect(lied, "methods that the attacker lied about").to.deep.equal(methods(told));
    expect(countOf(tally, "paid")).to.be.greaterThan(runs / 2);
  });
});
