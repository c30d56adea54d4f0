import { type Address, erc20Abi, type Hex, isAddressEqual, parseEventLogs, zeroAddress } from "viem";
import type { TestChain } from "./TestChain.ts";

/** What a transaction left in a contract, or the allowance that it left of a contract. */
export type Leftover = {
  /** In the currency's smallest units. */
  readonly amount: bigint;
  readonly contract: Address;
  readonly currency: Address;
  /** Who may spend the amount; without one, it is a balance. */
  readonly spender?: Address;
};

/**
 * Compares the chain before and after a transaction's block: native currency, each token that the transaction moved, and each
 * allowance that a contract gave in it.
 *
 * @returns What grew and is still there at the end of the block.
 */
export async function leftIn(
  chain: TestChain,
  hash: Hex,
  contracts: readonly Address[],
): Promise<readonly Leftover[]> {
  const { blockNumber, logs } = await chain.reader.getTransactionReceipt({ hash });
  const watched = [...balancesOf(logs, contracts), ...allowancesOf(logs, contracts)];
  const left = await Promise.all(
    watched.map(async (each) => {
      const [before, after] = await Promise.all([
        amountAt(chain, each, blockNumber - 1n),
        amountAt(chain, each, blockNumber),
      ]);
      return { ...each, amount: after - before };
    }),
  );
  return left.filter(({ amount }) => amount > 0n);
}

type Watched = Omit<Leftover, "amount">;
type Logs = Parameters<typeof parseEventLogs>[0]["logs"];

function balancesOf(logs: Logs, contracts: readonly Address[]): readonly Watched[] {
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs });
  const currencies = [...new Set([zeroAddress, ...transfers.map(({ address }) => address)])];
  return contracts.flatMap((contract) => currencies.map((currency) => ({ contract, currency })));
}

function allowancesOf(logs: Logs, contracts: readonly Address[]): readonly Watched[] {
  const approvals = parseEventLogs({ abi: erc20Abi, eventName: "Approval", logs }).filter(({ args }) =>
    contracts.some((contract) => isAddressEqual(contract, args.owner)),
  );
  const byPair = new Map(
    approvals.map(({ address, args: { owner, spender } }) => [
      `${address} ${owner} ${spender}`,
      { contract: owner, currency: address, spender },
    ]),
  );
  return [...byPair.values()];
}

async function amountAt(
  { reader }: TestChain,
  { contract, currency, spender }: Watched,
  blockNumber: bigint,
): Promise<bigint> {
  if (currency === zeroAddress) return reader.getBalance({ address: contract, blockNumber });
  // A token that the transaction deployed held nothing before.
  const code = await reader.getCode({ address: currency, blockNumber });
  if (code === undefined) return 0n;
  const token = { abi: erc20Abi, address: currency, blockNumber } as const;
  return spender === undefined
    ? reader.readContract({ ...token, args: [contract], functionName: "balanceOf" })
    : reader.readContract({ ...token, args: [contract, spender], functionName: "allowance" });
}
