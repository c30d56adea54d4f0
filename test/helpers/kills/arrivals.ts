import { type Address, parseAbiItem } from "viem";
import type { TestChain } from "../emulatorFixture.ts";

/** What the solver did on a chain, as the chain has it. */
export type SolverWork = {
  /** How many of its transactions were mined and did not revert. */
  readonly successful: number;
  /** Each payment that reached an account, in smallest units. */
  arrivals(account: Address): readonly bigint[];
};

const transfer = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Reads what the solver sent from a block on: the blocks and their logs, and nobody's database. */
export async function readSolverWork(
  { info, reader }: TestChain,
  solver: Address,
  fromBlock: bigint,
): Promise<SolverWork> {
  const arrived = new Map<string, bigint[]>();
  const add = (account: Address, amount: bigint) => {
    const key = account.toLowerCase();
    arrived.set(key, [...(arrived.get(key) ?? []), amount]);
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
      if (to !== null && value > 0n) add(to, value);
    }
  }
  const tokens = info.currencies.slice(1).map(({ address }) => address);
  const logs = await reader.getLogs({ address: tokens, event: transfer, fromBlock, strict: true });
  for (const { args } of logs) add(args.to, args.value);
  return { arrivals: (account) => arrived.get(account.toLowerCase()) ?? [], successful };
}
