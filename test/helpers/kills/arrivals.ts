import { type Address, type Hex, parseAbiItem } from "viem";
import type { TestChain } from "../emulatorFixture.ts";

/** The solver's transactions on a chain, as the chain has them. */
export type SolverWork = {
  /** Number of mined transactions that succeeded. */
  readonly successful: number;
  /** Amount that each transaction paid to an account, in smallest units. */
  arrivals(account: Address): readonly bigint[];
};

const transfer = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Reads the solver's transactions from a block on, from blocks and logs alone. */
export async function readSolverWork(
  { info, reader }: TestChain,
  solver: Address,
  fromBlock: bigint,
): Promise<SolverWork> {
  const arrived = new Map<string, Map<Hex, bigint>>();
  const add = (account: Address, hash: Hex, amount: bigint) => {
    const key = account.toLowerCase();
    const byHash = arrived.get(key) ?? new Map<Hex, bigint>();
    arrived.set(key, byHash.set(hash, (byHash.get(hash) ?? 0n) + amount));
  };
  const isSolver = (account: Address) => account.toLowerCase() === solver.toLowerCase();
  let successful = 0;
  const newest = await reader.getBlockNumber();
  for (let blockNumber = fromBlock; blockNumber <= newest; blockNumber++) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash, to, value } of transactions) {
      if (!isSolver(from)) continue;
      const { status } = await reader.getTransactionReceipt({ hash });
      if (status !== "success") continue;
      successful++;
      if (to !== null && value > 0n) add(to, hash, value);
    }
  }
  const tokens = info.currencies.slice(1).map(({ address }) => address);
  const logs = await reader.getLogs({ address: tokens, event: transfer, fromBlock, strict: true });
  for (const { args, transactionHash } of logs) add(args.to, transactionHash, args.value);
  return { arrivals: (account) => [...(arrived.get(account.toLowerCase())?.values() ?? [])], successful };
}
