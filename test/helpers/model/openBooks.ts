import { type Address, parseAbi } from "viem";
import type { TestChain } from "../emulatorFixture.ts";
import { symbols } from "../quotes/intents.ts";
import { gained, nothing, readHoldings, sumOf } from "./holdings.ts";

/** Open books of a chain. */
export type Books = {
  /**
   * @param later Accounts without balances when the books were opened.
   * @returns Violations, in words.
   */
  close(later?: readonly Address[]): Promise<readonly string[]>;
};

/**
 * Opens the books of a chain: all accounts that may hold money or pass it on. At the close, the sum of all gains equals the gas
 * fees, to the wei: no money appeared, and none left the known accounts. Contracts that pass money on hold nothing.
 */
export async function openBooks(chain: TestChain, solver: Address): Promise<Books> {
  const { contracts, currencies, accounts } = chain.info;
  const { approvalProxy, depository, erc20Router, multicall3, permit2, relayReceiver, uniswapV2Router, v3 } =
    contracts;
  const routers = [approvalProxy, erc20Router, v3.approvalProxy, v3.erc20Router];
  const passing = [...routers, relayReceiver, multicall3, permit2, uniswapV2Router];
  const tokens = currencies.slice(1).map(({ address }) => address);
  const wrapped = chain.currency("WETH");
  const users = accounts.map(({ address }) => address);
  const pools = await readPools(chain);
  const opening = [...new Set([...users, ...passing, ...pools, ...tokens, solver, depository])];
  const { miner, number } = await chain.reader.getBlock();
  const held = await readHoldings(chain, [...opening, miner]);
  return {
    close: async (later = []) => {
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
      const gas = gain(miner).ETH + (await readBurned(chain, number + 1n, lastBlock));
      // The token holds the backing of wrapped money; its total supply changes by the same amount.
      equal("all gains and the gas, ETH", sum.ETH + gas, 0n);
      equal("all gains, WETH", sum.WETH, gain(wrapped).ETH);
      for (const symbol of ["USDC", "USDT"] as const) equal(`all gains, ${symbol}`, sum[symbol], 0n);
      for (const account of passing) {
        for (const symbol of symbols)
          equal(`${symbol} left on ${account}`, after.get(account)?.[symbol] ?? -1n, 0n);
      }
      return problems;
    },
  };
}

/** Burned part of the gas fees of some blocks, in wei; the miner receives the rest. */
async function readBurned(chain: TestChain, fromBlock: bigint, toBlock: bigint): Promise<bigint> {
  let burned = 0n;
  for (let blockNumber = fromBlock; blockNumber <= toBlock; blockNumber++) {
    const { baseFeePerGas, gasUsed } = await chain.reader.getBlock({ blockNumber });
    burned += (baseFeePerGas ?? 0n) * gasUsed;
  }
  return burned;
}

/** The pools of a chain's tokens. */
async function readPools({ currency, info, reader }: TestChain): Promise<readonly Address[]> {
  const abi = parseAbi([
    "function factory() view returns (address)",
    "function getPair(address a, address b) view returns (address)",
  ]);
  const { uniswapV2Router } = info.contracts;
  const factory = await reader.readContract({ abi, address: uniswapV2Router, functionName: "factory" });
  const pairs = ["USDC USDT", "USDC WETH", "USDT WETH"].map((names) => names.split(" ").map(currency));
  return Promise.all(
    pairs.map((args) =>
      reader.readContract({
        ...{ abi, address: factory, functionName: "getPair" },
        args: args as [Address, Address],
      }),
    ),
  );
}
