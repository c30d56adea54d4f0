import type { Address } from "viem";
import type { TestChain } from "../emulatorFixture.ts";
import { symbols } from "../quotes/intents.ts";
import {
  burnedIn,
  depositedIn,
  gained,
  type Holdings,
  nothing,
  poolsOf,
  readHoldings,
  sumOf,
  swappedIn,
} from "./books.ts";

/** Result of a chain's books for a batch. */
type ClosedBooks = {
  readonly chain: TestChain;
  readonly before: Holdings;
  readonly after: Holdings;
  /** Violations, in words. */
  readonly problems: readonly string[];
};

/** Open books of a chain. */
export type Books = {
  /**
   * @param later Accounts without balances when the books were opened.
   * @param transferred USDC sent to the depository by plain transfers, for which it emits no event.
   */
  close(later?: readonly Address[], transferred?: bigint): Promise<ClosedBooks>;
};

/**
 * Opens the books of a chain: all accounts that may hold money or pass it on. At the close, the sum of all gains
 * equals the gas fees, to the wei: no money appeared, and none left the known accounts. The gains of depository and
 * pools equal the sums of their events.
 *
 * @param own Accounts of the batch's intents.
 */
export async function openBooks(chain: TestChain, solver: Address, own: readonly Address[]): Promise<Books> {
  const { contracts, currencies, accounts } = chain.info;
  const { approvalProxy, depository, erc20Router, multicall3, permit2, relayReceiver, uniswapV2Router, v3 } =
    contracts;
  const passing = [
    approvalProxy,
    erc20Router,
    v3.approvalProxy,
    v3.erc20Router,
    relayReceiver,
    multicall3,
    permit2,
    uniswapV2Router,
  ];
  const pools = await poolsOf(chain);
  const tokens = currencies.slice(1).map(({ address }) => address);
  const wrapped = chain.currency("WETH");
  const users = accounts.map(({ address }) => address);
  const opening = [...new Set([...own, ...users, ...passing, ...pools, ...tokens, solver, depository])];
  const { miner } = await chain.reader.getBlock();
  const firstBlock = (await chain.reader.getBlockNumber()) + 1n;
  const held = await readHoldings(chain, [...opening, miner]);
  return {
    close: async (later = [], transferred = 0n) => {
      const everybody = [...new Set([...opening, ...later])];
      const before = new Map([...later.map((account) => [account, nothing()] as const), ...held]);
      const lastBlock = await chain.reader.getBlockNumber();
      const after = await readHoldings(chain, [...everybody, miner]);
      const gain = (account: Address) => gained(before, after, account);
      const problems: string[] = [];
      const equal = (what: string, is: bigint, due: bigint) => {
        if (is !== due) problems.push(`${what} on ${chain.info.name}: ${is} instead of ${due}`);
      };
      const sum = sumOf(everybody.map(gain));
      const gas = gain(miner).ETH + (await burnedIn(chain, firstBlock, lastBlock));
      // The token holds the backing of wrapped money; its total supply changes by the same amount.
      equal("all gains and the gas, ETH", sum.ETH + gas, 0n);
      equal("all gains, WETH", sum.WETH, gain(wrapped).ETH);
      for (const symbol of ["USDC", "USDT"] as const) equal(`all gains, ${symbol}`, sum[symbol], 0n);
      const [deposited, swapped] = await Promise.all([
        depositedIn(chain, firstBlock, lastBlock),
        swappedIn(chain, pools, firstBlock, lastBlock),
      ]);
      const pooled = sumOf(pools.map(gain));
      for (const symbol of symbols) {
        const direct = symbol === "USDC" ? transferred : 0n;
        equal(`the depository's ${symbol}`, gain(depository)[symbol], deposited[symbol] + direct);
        equal(`the pools' ${symbol}`, pooled[symbol], swapped[symbol]);
        for (const account of passing)
          equal(`${symbol} left on ${account}`, after.get(account)?.[symbol] ?? -1n, 0n);
      }
      return { after, before, chain, problems };
    },
  };
}
