import { expect } from "chai";
import { microDollars } from "../../../../emulator/money/prices.ts";

describe("microDollars", () => {
  it("rounds down to whole micro-dollars, and caps at the largest safe integer", () => {
    expect(microDollars(0n)).to.equal(0);
    expect(microDollars(10n ** 18n)).to.equal(1_000_000);
    expect(microDollars(10n ** 12n - 1n)).to.equal(0);
    expect(microDollars(10n ** 60n)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});
