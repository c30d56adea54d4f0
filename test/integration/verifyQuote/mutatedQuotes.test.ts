import { expect } from "chai";
import { summaryOf } from "../../helpers/quoteMutations/Report.ts";
import { type MutationLab, openLab } from "../../helpers/quoteMutations/runMutations.ts";

const mutants = 500;

describe("500 quotes that a hostile service changed", () => {
  let lab: MutationLab;
  before(async function () {
    this.timeout(60_000);
    lab = await openLab();
  });
  after(() => lab.stop());

  it("500 changed quotes are rejected, or cost the user no more than the bound and pay the recipient no less", async function () {
    this.timeout(300_000);
    const seed = process.env["WAYBILL_SEED"] ?? `quotes ${Date.now()}`;
    const report = await lab.run(seed, mutants);
    expect(report.lost, `WAYBILL_SEED="${seed}" has it again: ${summaryOf(report)}`).to.deep.equal([]);
    expect(report.made).to.equal(mutants);
    // If all were rejected, the test would measure nothing.
    expect(report.accepted).to.be.greaterThan(20);
    expect(Object.keys(report.refused).length).to.be.greaterThan(10);
  });
});
