import { expect } from "chai";
import type { LocalCurrency } from "../../../../../emulator/chains/Chain.ts";
import { serviceFeeBps } from "../../../../../emulator/quote/price/priceIntent.ts";
import { computeImpacts, quoteDetails, quoteFees } from "../../../../../emulator/quote/price/quoteDetails.ts";
import { parseUsd } from "../../../../../emulator/requests/record/recordAmounts.ts";
import { amountSchema } from "../../../../../src/schema/quote/amount.ts";
import { quoteSchema } from "../../../../../src/schema/quote/quote.ts";
import { alpha, beta, ether, recipient, usdc, usdt, user, wrappedEther } from "../../support/fakeChains.ts";
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

describe("quoteFees", () => {
  // @spec quote/fees
  it("a bridge: has an amount for each documented fee, the gas in native currency", () => {
    const fees = quoteFees(pricedBridge(10n ** 18n));
    expect(fees).to.have.keys("app", "gas", "relayer", "relayerGas", "relayerService", "subsidized");
    for (const fee of Object.values(fees)) expect(amountSchema.parse(fee)).to.deep.equal(fee);
    expect(fees.gas?.currency.symbol).to.equal("ETH");
    expect(fees.subsidized?.amount).to.equal("0");
  });

  // @spec quote/fees
  it("the gas of the user's transaction: is a deposit's, the router's where it swaps or a permit pays, and none where the service sends it", () => {
    const priced = pricedBridge(10n ** 18n);
    // A base fee of one gwei, and a tip of one.
    const gasOf = (parts: Parameters<typeof quoteFees>[0]) =>
      BigInt(quoteFees(parts).gas?.amount ?? 0) / 2_000_000_000n;
    expect(gasOf(priced)).to.equal(60_000n);
    const origin = { from: ether, path: [ether, usdc], pools: [], to: usdc };
    expect(gasOf({ ...priced, route: { ...priced.route, origin } })).to.equal(250_000n);
    expect(gasOf({ ...priced, permit: "permit" })).to.equal(250_000n);
    for (const permit of ["eip3009", "permit2"] as const) expect(gasOf({ ...priced, permit })).to.equal(0n);
    const own = { ...priced, route: { ...priced.route, via: "self" } } as const;
    expect(gasOf({ ...own, read: { ...priced.read, kind: "Send" } })).to.equal(60_000n);
    expect(gasOf({ ...own, read: { ...priced.read, kind: "Same-chain Swap" } })).to.equal(250_000n);
  });

  it("fees in dollars: add up as shown, and are the parts of the impact", () => {
    for (let amount = 10n ** 18n; amount < 10n ** 18n + 10n ** 12n; amount += 77_777_777_777n) {
      const intent = pricedBridge(amount);
      const { app, relayer, relayerGas, relayerService } = quoteFees(intent);
      const usd = [relayerGas, relayerService].map((fee) => parseUsd(fee?.amountUsd));
      expect(parseUsd(relayer?.amountUsd), amount.toString()).to.equal((usd[0] ?? 0n) + (usd[1] ?? 0n));
      const { app: integrators, execution, service } = computeImpacts(intent);
      const shown = [execution, service, integrators].map((part) => -part / 10n ** 12n);
      expect(shown).to.deep.equal([...usd, parseUsd(app?.amountUsd)]);
    }
  });

  it("fees in the deposit's currency: add up to the unit", () => {
    const { relayer, relayerGas, relayerService } = quoteFees(pricedBridge(10n ** 18n + 7n));
    const units = [relayerGas, relayerService].map((fee) => BigInt(fee?.amount ?? 0));
    expect(relayer?.amount).to.equal(units.reduce((sum, each) => sum + each, 0n).toString());
  });
});

const feeOf = (currencyIn: LocalCurrency, currencyOut: LocalCurrency) =>
  serviceFeeBps({ currencyIn, currencyOut, destination: beta, origin: alpha });

describe("serviceFeeBps", () => {
  it("is 0 for bridging, 1 between stable currencies and 6 otherwise", () => {
    for (const currency of [ether, wrappedEther, usdc, usdt]) {
      expect(feeOf(currency, currency)).to.equal(0n);
    }
    expect(feeOf(ether, wrappedEther)).to.equal(0n);
    expect(feeOf(wrappedEther, ether)).to.equal(0n);
    expect(feeOf(usdc, usdt)).to.equal(1n);
    expect(feeOf(usdt, usdc)).to.equal(1n);
    expect(feeOf(ether, usdc)).to.equal(6n);
    expect(feeOf(usdt, wrappedEther)).to.equal(6n);
  });
});
