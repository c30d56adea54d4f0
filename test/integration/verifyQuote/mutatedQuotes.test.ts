import { expect } from "chai";
import { openQuoteLab, type QuoteLab } from "../../helpers/hostileQuotes/openQuoteLab.ts";
import { countOf } from "../../helpers/tally.ts";

const mutants = 500;

describe("500 quotes that a hostile service changed", () => {
  let lab: QuoteLab;
  before(async function () {
    this.timeout(60_000);
    lab = await openQuoteLab();
  });
  after(() => lab.close());

  it("500 changed quotes are rejected, or cost the user no more than the bound and pay the recipient no less", async function () {
    this.timeout(300_000);
    const seed = process.env["WAYBILL_SEED"] ?? `quotes ${Date.now()}`;
    const tally = await lab.run(seed, mutants);
    expect(tally.failures, `WAYBILL_SEED="${seed}" has it again`).to.deep.equal([]);
    expect(countOf(tally, "runs")).to.equal(mutants);
    // If all were rejected, the test would measure nothing.
    expect(countOf(tally, "accepted")).to.be.greaterThan(20);
    expect(Object.keys(tally.counts).length).to.be.greaterThan(10);
  });
});
