import { type Address, type Hex, isAddressEqual, parseAbiItem, zeroAddress } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { exchangeChainId } from "../../../src/perps/constants.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { readExchange, readSvm } from "./otherBooks.ts";

/** The solver's transactions on a chain, as the chain has them. */
export type SolverWork = {
  /** Number of mined transactions that succeeded. */
  readonly successful: number;
  /** Amount that each transaction paid to an account, in smallest units of one currency or of all. */
  arrivals(account: string, currency?: Address): readonly bigint[];
};

const transfer = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Reads the solver's transactions from blocks and logs alone. */
export async function readSolverWork({ info, reader }: TestChain, solver: Address): Promise<SolverWork> {
  const arrived: { account: Address; currency: Address; hash: Hex; amount: bigint }[] = [];
  let successful = 0;
  const newest = await reader.getBlockNumber();
  for (let blockNumber = 0n; blockNumber <= newest; blockNumber++) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash, to, value } of transactions) {
      if (!isAddressEqual(from, solver)) continue;
      const { status } = await reader.getTransactionReceipt({ hash });
      // A transaction to itself cancels a nonce, and pays nothing.
      if (status !== "success" || (to !== null && isAddressEqual(to, solver))) continue;
      successful++;
      if (to !== null && value > 0n)
        arrived.push({ account: to, amount: value, currency: zeroAddress, hash });
    }
  }
  const tokens = info.currencies.slice(1).map(({ address }) => address);
  const logs = await reader.getLogs({ address: tokens, event: transfer, fromBlock: 0n, strict: true });
  for (const { address, args, transactionHash } of logs)
    arrived.push({ account: args.to, amount: args.value, currency: address, hash: transactionHash });
  return {
    arrivals: (account, currency) => {
      const own = arrived.filter(
        (each) =>
          isAddressEqual(each.account, account as Address) &&
          (currency === undefined || isAddressEqual(each.currency, currency)),
      );
      const byHash = Map.groupBy(own, ({ hash }) => hash);
      return [...byHash.values()].map((all) => all.reduce((sum, { amount }) => sum + amount, 0n));
    },
    successful,
  };
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
  const isExchange = chainId === exchangeChainId;
  const all = isExchange ? await readExchange(info, [account]) : await readSvm(info, [account]);
  const held = [...all].filter(([key, amount]) => amount > 0n && !key.startsWith("lamports"));
  const others = held.filter(([key]) => !isExchange && !key.startsWith(`${expected} `));
  if (others.length > 0) throw new Error(`${account} holds ${others.join()} instead of ${expected}`);
  return held.map(([, amount]) => amount);
}
