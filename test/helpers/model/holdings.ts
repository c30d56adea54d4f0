import { type Address, erc20Abi, parseAbi } from "viem";
import type { TestChain } from "../emulatorFixture.ts";
import { symbols, type TestSymbol } from "../quotes/intents.ts";

/** Smallest units of each currency. */
export type Amounts = Record<TestSymbol, bigint>;
/** Balances of each account on one chain. */
export type Holdings = ReadonlyMap<Address, Amounts>;

const accountsAtOnce = 100;
const nativeAbi = parseAbi(["function getEthBalance(address account) view returns (uint256)"]);

export const nothing = (): Amounts => ({ ETH: 0n, USDC: 0n, USDT: 0n, WETH: 0n });

/** Reads the accounts' balances of all currencies at one block. */
export async function readHoldings(chain: TestChain, accounts: readonly Address[]): Promise<Holdings> {
  const { multicall3 } = chain.info.contracts;
  const blockNumber = await chain.reader.getBlockNumber();
  const held = new Map<Address, Amounts>();
  const read = (account: Address, symbol: TestSymbol) =>
    symbol === "ETH"
      ? { abi: nativeAbi, address: multicall3, args: [account], functionName: "getEthBalance" }
      : { abi: erc20Abi, address: chain.currency(symbol), args: [account], functionName: "balanceOf" };
  for (let begin = 0; begin < accounts.length; begin += accountsAtOnce) {
    const some = accounts.slice(begin, begin + accountsAtOnce);
    const balances = (await chain.reader.multicall({
      allowFailure: false,
      batchSize: 0,
      blockNumber,
      contracts: some.flatMap((account) => symbols.map((symbol) => read(account, symbol))),
      multicallAddress: multicall3,
    })) as readonly bigint[];
    for (const [index, account] of some.entries()) {
      const entries = symbols.map((symbol, place) => [symbol, balances[index * symbols.length + place]]);
      held.set(account, Object.fromEntries(entries) as Amounts);
    }
  }
  return held;
}

/** Gain of an account between two readings; negative for a loss. */
export function gained(before: Holdings, after: Holdings, account: Address): Amounts {
  const [was, is] = [before.get(account), after.get(account)];
  if (was === undefined || is === undefined) throw new Error(`${account} was not read`);
  return Object.fromEntries(symbols.map((symbol) => [symbol, is[symbol] - was[symbol]])) as Amounts;
}

/** Sums the gains of some accounts. */
export function sumOf(all: Iterable<Amounts>): Amounts {
  const sum = nothing();
  for (const amounts of all) for (const symbol of symbols) sum[symbol] += amounts[symbol];
  return sum;
}
