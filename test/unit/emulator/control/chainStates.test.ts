import { expect } from "chai";
import fc from "fast-check";
import { type Hex, toHex } from "viem";
import { deriveAccounts } from "../../../../emulator/chains/accounts.ts";
import type { RunningChain } from "../../../../emulator/chains/Chain.ts";
import { startChain } from "../../../../emulator/chains/local/startChain.ts";
import { latestHead } from "../../../../emulator/chains/rpc.ts";
import { arbitrageInput } from "../../../../emulator/control/prices/repegPools.ts";
import { type ChainHistory, chainHistory } from "../../../../emulator/control/state/chainHistory.ts";
import { amountOutOf } from "../../../../emulator/money/swapMath.ts";

const reserve = fc.bigInt(10n ** 12n, 10n ** 30n);

describe("arbitrage", () => {
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

const blocks = 40;

const from = deriveAccounts().users[0]?.account.address;

const rich: Hex = "0x00000000000000000000000000000000000acc07";

describe("chainHistory", function () {
  this.timeout(30_000);
  let chain: RunningChain;
  let history: ChainHistory;
  /** Kind of each block, by number. */
  const seen = new Map<bigint, { hash: Hex; balance: unknown }>();
  const balance = () => chain.rpc("eth_getBalance", [rich, "latest"]);
  before(async () => {
    chain = await startChain({ displayName: "alpha", id: 31_337, name: "alpha" }, "127.0.0.1", 0);
    history = chainHistory(chain);
    await history.keepBlocks();
  });
  after(() => chain?.close());

  const grow = async () => {
    for (let index = 0; index < blocks; index++) {
      if (index % 3 === 0) await chain.rpc("hardhat_setBalance", [rich, toHex(10n ** 18n + BigInt(index))]);
      if (index % 2 === 0) await chain.rpc("evm_mine");
      else await chain.rpc("eth_sendTransaction", [{ from, to: rich, value: toHex(index) }]);
      const { hash, number } = await latestHead(chain.rpc);
      seen.set(number, { balance: await balance(), hash });
    }
  };

  it("balances set between blocks: any of the last 33 blocks is restored", async () => {
    for (const depth of [1, 7, 13, 33]) {
      await grow();
      const wanted = (await latestHead(chain.rpc)).number - BigInt(depth);
      const to = await history.beforeLast(depth);
      if (to === undefined) throw new Error("no state");
      expect(to.blockNumber).to.equal(wanted);
      await history.goBack(to);
      const head = await latestHead(chain.rpc);
      expect([head.number, head.parentHash, await balance()]).to.deep.equal([
        wanted + 1n,
        seen.get(wanted)?.hash,
        seen.get(wanted)?.balance,
      ]);
    }
  });

  it("five blocks mined at once: the blocks around them are restored, and none between", async () => {
    await grow();
    const { number } = await latestHead(chain.rpc);
    await chain.rpc("hardhat_mine", ["0x5"]);
    await grow();
    const height = (await latestHead(chain.rpc)).number;
    const nearest = async (wanted: bigint) =>
      (await history.beforeLast(Number(height - wanted)))?.blockNumber;
    for (const wanted of [number - 3n, number, number + 5n, number + 9n]) {
      expect(await nearest(wanted)).to.equal(wanted);
    }
    for (const wanted of [number + 1n, number + 4n]) expect(await nearest(wanted)).to.be.below(wanted);
  });
});
