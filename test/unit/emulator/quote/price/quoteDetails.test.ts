import { expect } from "chai";
import { quoteDetails } from "../../../../../emulator/quote/price/quoteDetails.ts";
import { quoteSchema } from "../../../../../src/schema/quote/quote.ts";
import { ether, recipient, usdc, user } from "../../support/fakeChains.ts";
import { pricedBridge } from "../../support/pricedBridge.ts";

describe("quoteDetails", () => {
  /** The rate of a quote with an output in wei. */
  function rateOf(amountOut: bigint): string | undefined {
    const priced = pricedBridge(10n ** 18n);
    return quoteDetails({ ...priced, amounts: { ...priced.amounts, amountOut } }, 0n).rate;
  }

  // @spec quote/operation quote/parties quote/currencies quote/impact quote/expanded-impact quote/slippage
  // @spec quote/user-balance quote/fixed-rate quote/route amount/units amount/usd amount/minimum
  // @spec currency/fields currency/native
  it("a bridge: has parties, amounts, impacts, slippage and route in their documented form", () => {
    const priced = pricedBridge(10n ** 18n);
    const details = quoteDetails(priced, 5n);
    expect(quoteSchema.shape.details.parse(details)).to.deep.equal(details);
    const currency = {
      ...ether,
      chainId: 31337,
      metadata: { isNative: true, logoURI: "/images/currencies/eth", verified: true },
    };
    const paid = {
      ...{ amount: "1000000000000000000", amountFormatted: "1", amountUsd: "2500.000000" },
      ...{ currency, minimumAmount: "1000000000000000000" },
    };
    const { amountOut, minimumOut } = priced.amounts;
    expect(details).to.deep.include({
      currencyIn: paid,
      isFixedRate: false,
      operation: "bridge",
      recipient: recipient.toLowerCase(),
      refundCurrency: paid,
      sender: user.toLowerCase(),
      userBalance: "5",
    });
    expect(details.currencyOut).to.include({
      amount: amountOut.toString(),
      minimumAmount: minimumOut.toString(),
    });
    expect(details.currencyOut.currency.chainId).to.equal(31338);
    const { destination, origin } = details.route ?? {};
    for (const side of [destination, origin]) {
      expect(side).to.have.all.keys("inputCurrency", "outputCurrency", "router");
    }
    expect(origin?.inputCurrency).to.deep.equal(paid);
    expect(destination?.outputCurrency).to.deep.equal(details.currencyOut);
    expect(details.expandedPriceImpact).to.have.keys("app", "execution", "relay", "sponsored", "swap");
    for (const part of Object.values(details.expandedPriceImpact ?? {})) {
      expect(part?.usd).to.match(/^-?\d+\.\d{6}$/);
    }
    for (const impact of [details.totalImpact, details.swapImpact]) {
      expect(impact?.usd).to.match(/^-?\d+\.\d{6}$/);
      expect(impact?.percent).to.match(/^-?\d+\.\d{2}$/);
    }
    const { destination: delivered, origin: deposited } = details.slippageTolerance ?? {};
    expect(delivered).to.include({ percent: "2.00", value: (amountOut - minimumOut).toString() });
    expect(deposited).to.deep.equal({ percent: "0.00", usd: "0.000000", value: "0" });
  });

  // @spec quote/time-estimate
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

  // @spec quote/rate
  it("rate: is in plain decimals for ratios from 1e-15 to 1e22", () => {
    expect(rateOf(10n ** 18n)).to.equal("1");
    expect(rateOf(996_652_722_382_600_680n)).to.equal("0.99665272238260068");
    expect(rateOf(1_000n)).to.equal("0.000000000000001");
    expect(rateOf(10n ** 40n)).to.equal(`1${"0".repeat(22)}`);
  });
});
