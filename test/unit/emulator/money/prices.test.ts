import { expect } from "chai";
import fc from "fast-check";
import {
  amountWorth,
  convertAmount,
  divide,
  formatUsd,
  oneUsd,
  usdOf,
} from "../../../../emulator/money/prices.ts";
import { maxUint256, uint256 } from "../../records/support/arbitraries.ts";
import { ether, usdc, usdt, wrappedEther } from "../support/fakeChains.ts";

const currency = fc.constantFrom(ether, wrappedEther, usdc, usdt);

describe("prices", () => {
  it("default prices: are 2500 dollars for ETH and WETH, and 1 for USDC and USDT", () => {
    expect(usdOf(10n ** 18n, ether)).to.equal(2500n * oneUsd);
    expect(usdOf(10n ** 18n, wrappedEther)).to.equal(2500n * oneUsd);
    expect(usdOf(10n ** 6n, usdc)).to.equal(oneUsd);
    expect(usdOf(10n ** 6n, usdt)).to.equal(oneUsd);
    expect(amountWorth(oneUsd, ether, "down")).to.equal(4n * 10n ** 14n);
  });

  it("any amount in dollars and back: is the same amount", () => {
    fc.assert(
      fc.property(uint256, currency, (amount, of) => {
        const usd = usdOf(amount, of);
        expect(amountWorth(usd, of, "down")).to.equal(amount);
        expect(amountWorth(usd, of, "up")).to.equal(amount);
      }),
    );
    expect(usdOf(maxUint256, ether)).to.equal(maxUint256 * 2500n);
    expect(usdOf(1n, usdc)).to.equal(10n ** 12n);
  });

  it("dollars to an amount: round to the named side by less than one unit", () => {
    fc.assert(
      fc.property(uint256, currency, (usd, of) => {
        const [down, up] = [amountWorth(usd, of, "down"), amountWorth(usd, of, "up")];
        expect(usdOf(down, of) <= usd && usd <= usdOf(up, of)).to.equal(true);
        expect(up - down <= 1n).to.equal(true);
      }),
    );
  });

  it("an amount in another currency: is rounded down once; in its own: is the same", () => {
    expect(convertAmount(10n ** 18n, ether, usdc)).to.equal(2_500_000_000n);
    expect(convertAmount(399_999_999n, ether, usdc)).to.equal(0n);
    const odd = { ...usdt, usdPrice: oneUsd - 1n };
    expect(convertAmount(1n, odd, usdc)).to.equal(0n);
    fc.assert(
      fc.property(uint256, fc.bigInt(1n, 10n ** 30n), currency, (amount, usdPrice, of) => {
        expect(convertAmount(amount, { ...of, usdPrice }, { ...of, usdPrice })).to.equal(amount);
      }),
    );
  });

  it("a currency without a price: throws its symbol", () => {
    expect(() => usdOf(1n, { ...ether, symbol: "DOGE" })).to.throw("no price for DOGE");
    expect(() => amountWorth(1n, { ...ether, symbol: "DOGE" }, "up")).to.throw("no price for DOGE");
  });
});

describe("divide", () => {
  it("an inexact quotient: rounds down or up; an exact one: stays", () => {
    expect([divide(7n, 2n, "down"), divide(7n, 2n, "up")]).to.deep.equal([3n, 4n]);
    expect([divide(8n, 2n, "down"), divide(8n, 2n, "up")]).to.deep.equal([4n, 4n]);
    expect([divide(0n, 2n, "down"), divide(0n, 2n, "up")]).to.deep.equal([0n, 0n]);
    expect(divide(maxUint256, 1n, "up")).to.equal(maxUint256);
  });
});

describe("formatUsd", () => {
  it("writes six decimals, rounded towards zero", () => {
    const written: readonly (readonly [bigint, string])[] = [
      [0n, "0.000000"],
      [oneUsd, "1.000000"],
      [oneUsd / 50n, "0.020000"],
      [1234n * oneUsd + 567_890n * 10n ** 12n, "1234.567890"],
      [10n ** 12n, "0.000001"],
      [-(10n ** 12n), "-0.000001"],
      [-3n * oneUsd - oneUsd / 2n, "-3.500000"],
      [10n ** 12n - 1n, "0.000000"],
      [1n - 10n ** 12n, "0.000000"],
    ];
    for (const [usd, text] of written) expect(formatUsd(usd), usd.toString()).to.equal(text);
  });
});
