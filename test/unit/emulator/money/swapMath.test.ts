import { expect } from "chai";
import fc from "fast-check";
import { parseAbi } from "viem";
import { amountInFor, amountOutOf, type Reserves } from "../../../../emulator/money/swapMath.ts";
import { type LiveChain, startLiveChain } from "../support/liveChain.ts";

const abi = parseAbi([
  "function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) pure returns (uint256)",
  "function getAmountIn(uint256 amountOut, uint256 reserveIn, uint256 reserveOut) pure returns (uint256)",
]);
/** Pools hold 112 bits of each side. */
const reserve = fc.bigInt({ max: 2n ** 112n - 1n, min: 1n });
const pool = fc.record({ reserveIn: reserve, reserveOut: reserve });
const amount = fc.oneof(fc.bigInt({ max: 2n ** 112n, min: 1n }), fc.bigInt({ max: 10_000n, min: 1n }));

describe("swapMath", () => {
  describe("compared with the router's view functions", function () {
    this.timeout(60_000);
    let live: LiveChain;
    before("starting a chain", async function () {
      this.timeout(60_000);
      live = await startLiveChain(31_397, "delta");
    });
    after(() => live?.chain.close());

    const read = (
      functionName: "getAmountIn" | "getAmountOut",
      given: bigint,
      { reserveIn, reserveOut }: Reserves,
    ) =>
      live.chain.client.readContract({
        abi,
        address: live.chain.contracts.uniswapV2Router,
        args: [given, reserveIn, reserveOut],
        functionName,
      });

    it("amountOutOf: equals getAmountOut", async () => {
      await fc.assert(
        fc.asyncProperty(pool, amount, async (reserves, amountIn) => {
          expect(amountOutOf(reserves, amountIn)).to.equal(await read("getAmountOut", amountIn, reserves));
        }),
        { numRuns: 300 },
      );
    });

    it("amountInFor: equals getAmountIn, and is undefined where the router reverts", async () => {
      await fc.assert(
        fc.asyncProperty(pool, amount, async (reserves, amountOut) => {
          const expected = await read("getAmountIn", amountOut, reserves).catch(() => undefined);
          // At the last unit the router divides by zero, above it subtracts below zero.
          expect(amountInFor(reserves, amountOut)).to.equal(expected);
        }),
        { numRuns: 300 },
      );
    });
  });

  it("amountInFor: is enough, and two units less are not", () => {
    fc.assert(
      fc.property(pool, amount, (reserves, amountOut) => {
        const amountIn = amountInFor(reserves, amountOut);
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
    expect(amountInFor({ reserveIn: 0n, reserveOut: 5n }, 1n)).to.equal(undefined);
    expect(amountInFor({ reserveIn: 5n, reserveOut: 5n }, 5n)).to.equal(undefined);
  });
});
