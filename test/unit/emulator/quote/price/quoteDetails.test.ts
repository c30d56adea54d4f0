import { expect } from "chai";
import { quoteDetails } from "../../../../../emulator/quote/price/quoteDetails.ts";
import { usdc } from "../../support/fakeChains.ts";
import { pricedBridge } from "../../support/pricedBridge.ts";

describe("quoteDetails", () => {
  /** The rate of a quote with an output in wei. */
  function rateOf(amountOut: bigint): string | undefined {
    const priced = pricedBridge(10n ** 18n);
    return quoteDetails({ ...priced, amounts: { ...priced.amounts, amountOut } }, 0n).rate;
  }

  it("timeEstimate: is a block of each chain, and a second more for a swap of the solver", () => {
    const priced = pricedBridge(10n ** 18n);
    const { destination, origin } = priced.read;
    const read = {
      ...priced.read,
      destination: { ...destination, blockSeconds: () => 2 },
      origin: { ...origin, blockSeconds: () => 12 },
    };
    const { destination: delivery, origin: payment } = priced.route;
    const pool = { reserveIn: 1n, reserveOut: 1n };
    const swap = { ...delivery, path: [delivery.from, usdc], pools: [pool], to: usdc };
    const estimate = (route: object) =>
      quoteDetails({ ...priced, read, route: { ...priced.route, ...route } }, 0n).timeEstimate;
    expect(estimate({ destination: delivery, origin: payment })).to.equal(14);
    expect(estimate({ destination: swap })).to.equal(15);
    // A same-chain request ends with its block.
    expect(estimate({ destination: swap, via: "self" })).to.equal(12);
  });

  it("rate: is in plain decimals for ratios from 1e-15 to 1e22", () => {
    expect(rateOf(10n ** 18n)).to.equal("1");
    expect(rateOf(996_652_722_382_600_680n)).to.equal("0.99665272238260068");
    expect(rateOf(1_000n)).to.equal("0.000000000000001");
    expect(rateOf(10n ** 40n)).to.equal(`1${"0".repeat(22)}`);
  });
});
