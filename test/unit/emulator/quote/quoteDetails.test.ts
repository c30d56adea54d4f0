import { expect } from "chai";
import { quoteDetails } from "../../../../emulator/quote/quoteDetails.ts";
import { pricedBridge } from "../support/pricedBridge.ts";

describe("the details of a quote", () => {
  /** The rate of a quote whose output is so many wei. */
  function rateOf(amountOut: bigint): string | undefined {
    const priced = pricedBridge(10n ** 18n);
    return quoteDetails({ ...priced, amounts: { ...priced.amounts, amountOut } }, 0n).rate;
  }

  it("have a rate in plain decimals, however much less comes out than goes in", () => {
    expect(rateOf(10n ** 18n)).to.equal("1");
    expect(rateOf(996_652_722_382_600_680n)).to.equal("0.99665272238260068");
    expect(rateOf(1_000n)).to.equal("0.000000000000001");
    expect(rateOf(10n ** 40n)).to.equal(`1${"0".repeat(22)}`);
  });
});
