import { encodeFunctionData, maxUint256, parseAbi, parseEther, parseUnits } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { sendAs } from "../quotes/intents.ts";
import type { Scene } from "./carryOutIntent.ts";

/** Users without an intent. */
const trader = 9;
const stranger = 8;
const tradeGas = 300_000n;
/** Input of one trade, which moves a price by nearly two percent. */
const sold = { dollars: parseUnits("22500000", 6), native: parseEther("9000") };
const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
]);

/** Funds the trader with more than all trades of a campaign sell. */
export async function setScene(fixture: EmulatorFixture): Promise<Scene> {
  const chains = [fixture.alpha, fixture.beta];
  for (const chain of chains) {
    const { address } = chain.wallet(trader).account;
    const { uniswapV2Router } = chain.info.contracts;
    for (const [symbol, amount] of [
      ["USDC", parseUnits("10000000000", 6)],
      ["USDT", parseUnits("10000000000", 6)],
      ["WETH", parseEther("4000000")],
    ] as const) {
      const currency = chain.currency(symbol);
      await fixture.emulator.control.balances.set({
        account: address,
        amount,
        chainId: chain.info.id,
        currency,
      });
      const args = [uniswapV2Router, maxUint256] as const;
      await sendAs(chain, trader, {
        data: erc20Data("approve", ...args),
        to: currency,
      });
    }
  }
  let last: Promise<unknown> = Promise.resolve();
  // Nonces of one account are drawn one after the other.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  let moves = 0;
  return {
    fixture,
    movePool: (chain, a, b) =>
      inTurn(async () => {
        // Trades in both directions, so that prices stay within quotable bounds.
        const [from, to] = moves++ % 2 === 0 ? [a, b] : [b, a];
        const account = chain.wallet(trader).account.address;
        const amount = from === "WETH" ? sold.native : sold.dollars;
        const path = [chain.currency(from), chain.currency(to)];
        const args = [amount, 0n, path, account, maxUint256] as const;
        await sendAs(chain, trader, {
          data: encodeFunctionData({ abi: swapAbi, args, functionName: "swapExactTokensForTokens" }),
          // A pool may use more gas in the mined block than in the estimate.
          gas: tradeGas,
          to: chain.info.contracts.uniswapV2Router,
        });
      }),
    payAsStranger: (chain, id, value) =>
      inTurn(() => {
        const args = [chain.wallet(stranger).account.address, id] as const;
        const data = encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositNative" });
        return sendAs(chain, stranger, { data, to: chain.info.contracts.depository, value });
      }),
  };
}
