import { expect } from "chai";
import { impactsOf, quoteFees } from "../../../../../emulator/quote/price/quoteDetails.ts";
import { parseUsd } from "../../../../../emulator/requests/record/recordAmounts.ts";
import { amountSchema } from "../../../../../src/schema/quote/amount.ts";
import { ether, usdc } from "../../support/fakeChains.ts";
import { pricedBridge } from "../../support/pricedBridge.ts";

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
      const { app: integrators, execution, service } = impactsOf(intent);
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
