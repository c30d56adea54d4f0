import { address } from "@solana/kit";
import { type Address, type Hex, parseAbiItem } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { svmRpc, svmUsdc } from "../svm.ts";

/** The solver's transactions on a chain, as the chain has them. */
export type SolverWork = {
  /** Number of mined transactions that succeeded. */
  readonly successful: number;
  /** Amount that each transaction paid to an account, in smallest units. */
  arrivals(account: string): readonly bigint[];
};

/** Place of the amount in a token account. */
const amountOffset = 64;
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

/** Balance in USDC on the perps exchange or the SVM chain. */
export async function readBalance(info: EmulatorInfo, chainId: number, account: string): Promise<bigint> {
  if (chainId !== exchangeChainId) return readTokens(info, account);
  const query = new URLSearchParams({ account, chainId: `${chainId}`, currency: perpsUsdcAddress });
  const answer = await fetch(`${info.apiUrl}/admin/balances?${query}`, {
    headers: { "x-admin-key": info.adminKey },
  });
  return BigInt(((await answer.json()) as { amount: string }).amount);
}

async function readTokens({ apiUrl }: EmulatorInfo, owner: string): Promise<bigint> {
  const { value } = await svmRpc(apiUrl)
    .getTokenAccountsByOwner(address(owner), { mint: address(svmUsdc.address) }, { encoding: "base64" })
    .send();
  const data = value[0]?.account.data[0];
  return data === undefined ? 0n : Buffer.from(data, "base64").readBigUInt64LE(amountOffset);
}
