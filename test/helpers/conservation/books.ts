import { type Address, erc20Abi, parseAbi, parseAbiItem } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { symbols, type TestSymbol } from "../quotes/intents.ts";

/** Smallest units of each currency. */
export type Amounts = Record<TestSymbol, bigint>;
/** Balances of each account on one chain. */
export type Holdings = ReadonlyMap<Address, Amounts>;

const accountsAtOnce = 100;
const nativeAbi = parseAbi(["function getEthBalance(address account) view returns (uint256)"]);
const swapped = parseAbiItem(
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
);

export const nothing = (): Amounts => ({ ETH: 0n, USDC: 0n, USDT: 0n, WETH: 0n });

/** Reads the accounts' balances of all currencies at one block. */
export async function readHoldings(chain: TestChain, accounts: readonly Address[]): Promise<Holdings> {
  const { multicall3 } = chain.info.contracts;
  const blockNumber = await chain.reader.getBlockNumber();
  const held = new Map<Address, Amounts>();
  for (let begin = 0; begin < accounts.length; begin += accountsAtOnce) {
    const some = accounts.slice(begin, begin + accountsAtOnce);
    const balances = (await chain.reader.multicall({
      allowFailure: false,
      batchSize: 0,
      blockNumber,
      contracts: some.flatMap((account) =>
        symbols.map((symbol) =>
          symbol === "ETH"
            ? { abi: nativeAbi, address: multicall3, args: [account], functionName: "getEthBalance" }
            : {
                abi: erc20Abi,
                address: chain.currency(symbol),
                args: [account],
                functionName: "balanceOf",
              },
        ),
      ),
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

/** Burned part of the gas fees of some blocks, in wei; the miner receives the rest. */
export async function burnedIn(chain: TestChain, fromBlock: bigint, toBlock: bigint): Promise<bigint> {
  let burned = 0n;
  for (let blockNumber = fromBlock; blockNumber <= toBlock; blockNumber++) {
    const { baseFeePerGas, gasUsed } = await chain.reader.getBlock({ blockNumber });
    burned += (baseFeePerGas ?? 0n) * gasUsed;
  }
  return burned;
}

/** Deposits in some blocks, by the depository's events. */
export async function depositedIn(chain: TestChain, fromBlock: bigint, toBlock: bigint): Promise<Amounts> {
  const total = nothing();
  const events = await chain.reader.getContractEvents({
    abi: relayDepositoryAbi,
    address: chain.info.contracts.depository,
    fromBlock,
    strict: true,
    toBlock,
  });
  for (const event of events) {
    if (event.eventName === "RelayNativeDeposit") total.ETH += event.args.amount;
    if (event.eventName === "RelayErc20Deposit")
      total[symbolOf(chain, event.args.token)] += event.args.amount;
  }
  return total;
}

/** Input minus output of the pools in some blocks, by their events. */
export async function swappedIn(
  chain: TestChain,
  pools: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Amounts> {
  const total = nothing();
  const tokens = new Map<string, readonly TestSymbol[]>();
  const pairAbi = parseAbi([
    "function token0() view returns (address)",
    "function token1() view returns (address)",
  ]);
  for (const address of pools) {
    const read = (functionName: "token0" | "token1") =>
      chain.reader.readContract({ abi: pairAbi, address, functionName });
    const pair = [await read("token0"), await read("token1")];
    tokens.set(
      address.toLowerCase(),
      pair.map((token) => symbolOf(chain, token)),
    );
  }
  const logs = await chain.reader.getLogs({
    address: [...pools],
    event: swapped,
    fromBlock,
    strict: true,
    toBlock,
  });
  for (const { address, args } of logs) {
    const [first, second] = tokens.get(address.toLowerCase()) ?? [];
    if (first === undefined || second === undefined) throw new Error(`${address} is no pool`);
    total[first] += args.amount0In - args.amount0Out;
    total[second] += args.amount1In - args.amount1Out;
  }
  return total;
}

/** The pools of a chain's tokens. */
export async function poolsOf(chain: TestChain): Promise<readonly Address[]> {
  const factory = await chain.reader.readContract({
    abi: parseAbi(["function factory() view returns (address)"]),
    address: chain.info.contracts.uniswapV2Router,
    functionName: "factory",
  });
  const pairs: [TestSymbol, TestSymbol][] = [
    ["USDC", "USDT"],
    ["USDC", "WETH"],
    ["USDT", "WETH"],
  ];
  return Promise.all(
    pairs.map(([a, b]) =>
      chain.reader.readContract({
        abi: parseAbi(["function getPair(address a, address b) view returns (address)"]),
        address: factory,
        args: [chain.currency(a), chain.currency(b)],
        functionName: "getPair",
      }),
    ),
  );
}

function symbolOf(chain: TestChain, token: Address): TestSymbol {
  const found = symbols.find((symbol) => chain.currency(symbol).toLowerCase() === token.toLowerCase());
  if (found === undefined) throw new Error(`${token} is no currency of ${chain.info.name}`);
  return found;
}
