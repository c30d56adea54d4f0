import { expect } from "chai";
import fc from "fast-check";
import { readPriceHistory, recordPrices } from "../../../../emulator/money/priceHistory.ts";
import {
  amountWorth,
  convertAmount,
  divide,
  formatUsd,
  microDollars,
  oneUsd,
  usdOf,
} from "../../../../emulator/money/prices.ts";
import { amountInFor, amountOutOf } from "../../../../emulator/money/swapMath.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { maxUint256, uint256 } from "../../records/support/arbitraries.ts";
import { ether, usdc, usdt, wrappedEther } from "../support/fakeChains.ts";

describe("microDollars", () => {
  it("rounds down to whole micro-dollars, and caps at the largest safe integer", () => {
    expect(microDollars(0n)).to.equal(0);
    expect(microDollars(10n ** 18n)).to.equal(1_000_000);
    expect(microDollars(10n ** 12n - 1n)).to.equal(0);
    expect(microDollars(10n ** 60n)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});

forEachDialect("priceHistory", (kind) => {
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
    await recordPrices(store, 1_000, { ETH: "3000" });
    await recordPrices(store, 2_000, { ETH: "0.5", USDC: "2" });
    await recordPrices(store, 2_000, { ETH: "4000", USDC: "1.5" });
  });

  const pricesAt = async (since: number, at: number) => {
    const history = await readPriceHistory(store, since);
    return [ether, usdc].map((currency) => history.priced(currency, at).usdPrice);
  };

  it("a time before the first change, and a currency never changed: has the default price", async () => {
    expect(await pricesAt(0, 999)).to.deep.equal([2500n * oneUsd, oneUsd]);
    expect(await pricesAt(0, 1_999)).to.deep.equal([3000n * oneUsd, oneUsd]);
  });

  it("several changes at one moment: the last one holds", async () => {
    for (const at of [2_000, 9_999]) {
      expect(await pricesAt(0, at)).to.deep.equal([4000n * oneUsd, (3n * oneUsd) / 2n]);
    }
  });

  it("a history read from a moment: begins with the price that held then", async () => {
    for (const since of [1_000, 1_500, 2_000, 5_000]) {
      expect((await pricesAt(since, 5_000))[0]).to.equal(4000n * oneUsd);
    }
    expect((await pricesAt(1_500, 1_500))[0]).to.equal(3000n * oneUsd);
  });
});

const currency = fc.constantFrom(ether, wrappedEther, usdc, usdt);

describe("prices", () => {
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

/** Pools hold 112 bits of each side. */
const reserve = fc.bigInt({ max: 2n ** 112n - 1n, min: 1n });

const pool = fc.record({ reserveIn: reserve, reserveOut: reserve });

const amount = fc.oneof(fc.bigInt({ max: 2n ** 112n, min: 1n }), fc.bigInt({ max: 10_000n, min: 1n }));

describe("swapMath", () => {
  it("amountInFor: is enough, and two units less are not", () => {
    fc.assert(
      fc.property(pool, amount, (reserves, amountOut) => {
        const amountIn = amountInFor(reserves, amountOut);
        expect(amountIn === undefined).to.equal(amountOut >= reserves.reserveOut);
        if (amountIn === undefined) return;
        expect(amountOutOf(reserves, amountIn) >= amountOut).to.equal(true);
        // The formula adds one unit whether or not the division was exact.
        if (amountIn > 1n) expect(amountOutOf(reserves, amountIn - 2n) < amountOut).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("amountOutOf: is below the reserve, and 0 for no input or an empty pool", () => {
    fc.assert(
      fc.property(pool, amount, (reserves, amountIn) => {
        expect(amountOutOf(reserves, amountIn) < reserves.reserveOut).to.equal(true);
      }),
    );
    expect(amountOutOf({ reserveIn: 5n, reserveOut: 5n }, 0n)).to.equal(0n);
    expect(amountOutOf({ reserveIn: 0n, reserveOut: 5n }, 5n)).to.equal(0n);
    expect(amountOutOf({ reserveIn: 5n, reserveOut: 0n }, 5n)).to.equal(0n);
    expect(amountInFor({ reserveIn: 0n, reserveOut: 5n }, 1n)).to.equal(undefined);
    expect(amountInFor({ reserveIn: 5n, reserveOut: 5n }, 5n)).to.equal(undefined);
  });
});
