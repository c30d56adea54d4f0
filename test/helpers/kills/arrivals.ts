import { type Address, type Hex, parseAbiItem } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { readSvm } from "../conservation/otherBooks.ts";
import type { TestChain } from "../emulatorFixture.ts";

/** The solver's transactions on a chain, as the chain has them. */
export type SolverWork = {
  /** Number of mined transactions that succeeded. */
  readonly successful: number;
  /** Amount that each transaction paid to an account, in smallest units. */
  arrivals(account: string): readonly bigint[];
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
      // A transaction to itself cancels a nonce, and pays nothing.
      if (status !== "success" || (to !== null && isSolver(to))) continue;
      successful++;
      if (to !== null && value > 0n) add(to, hash, value);
    }
  }
  const tokens = info.currencies.slice(1).map(({ address }) => address);
  const logs = await reader.getLogs({ address: tokens, event: transfer, fromBlock, strict: true });
  for (const { args, transactionHash } of logs) add(args.to, transactionHash, args.value);
  return { arrivals: (account) => [...(arrived.get(account.toLowerCase())?.values() ?? [])], successful };
}

/**
 * What an account holds on the perps exchange, in USDC, or on the SVM chain, of each token that it holds.
 *
 * @throws for another token than the expected one.
 */
export async function readBalances(
  info: EmulatorInfo,
  chainId: number,
  account: string,
  expected: string,
): Promise<readonly bigint[]> {
  if (chainId !== exchangeChainId) return readTokens(info, account, expected);
  const query = new URLSearchParams({ account, chainId: `${chainId}`, currency: perpsUsdcAddress });
  const answer = await fetch(`${info.apiUrl}/admin/balances?${query}`, {
    headers: { "x-admin-key": info.adminKey },
  });
  const { amount } = (await answer.json()) as { amount: string };
  return amount === "0" ? [] : [BigInt(amount)];
}

async function readTokens(info: EmulatorInfo, owner: string, expected: string): Promise<readonly bigint[]> {
  const held = [...(await readSvm(info, [owner]))].filter(
    ([key, amount]) => amount > 0n && !key.startsWith("lamports"),
  );
  const others = held.filter(([key]) => !key.startsWith(`${expected} `));
  if (others.length > 0) throw new Error(`${owner} holds ${others.join()} instead of ${expected}`);
  return held.map(([, amount]) => amount);
}
