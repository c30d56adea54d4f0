import { expect } from "chai";
import fc from "fast-check";
import { arbitrageInput, squareRoot } from "../../../../../emulator/control/prices/repegPools.ts";
import { amountOutOf } from "../../../../../emulator/money/swapMath.ts";

const reserve = fc.bigInt(10n ** 12n, 10n ** 30n);

describe("arbitrage", () => {
  it("squareRoot: is the largest integer whose square is not above the value", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 300n), (value) => {
        const root = squareRoot(value);
        expect(root * root <= value && (root + 1n) * (root + 1n) > value).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("arbitrageInput: moves a pool to the target price, fee included, within a millionth", () => {
    const ratio = fc.integer({ max: 1_000, min: 2 });
    fc.assert(
      fc.property(reserve, reserve, ratio, (reserveIn, reserveOut, times) => {
        // A higher input for one unit of output than now.
        const target = { denominator: reserveOut, numerator: reserveIn * BigInt(times) };
        const amountIn = arbitrageInput({ reserveIn, reserveOut, target });
        const amountOut = amountOutOf({ reserveIn, reserveOut }, amountIn);
        const [after, left] = [reserveIn + amountIn, reserveOut - amountOut];
        const reached = (after * target.denominator * 1_000_000n) / (left * target.numerator);
        expect(Number(reached)).to.be.within(999_990, 1_000_010);
      }),
      { numRuns: 1_000 },
    );
  });

  it("arbitrageInput: is not positive if the price is at the target or beyond it", () => {
    fc.assert(
      fc.property(reserve, reserve, fc.integer({ max: 1_000, min: 1 }), (reserveIn, reserveOut, times) => {
        const target = { denominator: reserveOut * BigInt(times), numerator: reserveIn };
        expect(arbitrageInput({ reserveIn, reserveOut, target }) <= 0n).to.equal(true);
      }),
    );
  });

  it("amountOutOf: passes the pair's own check of the product", () => {
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt(1n, 10n ** 30n), (reserveIn, reserveOut, amountIn) => {
        const out = amountOutOf({ reserveIn, reserveOut }, amountIn);
        // Uniswap v2's own check: the product, after three thousandths of the input, must not shrink.
        const adjusted = (reserveIn + amountIn) * 1_000n - amountIn * 3n;
        expect(adjusted * (reserveOut - out) >= reserveIn * reserveOut * 1_000n).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
