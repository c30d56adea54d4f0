import { type Hex, isAddressEqual, type Transaction } from "viem";
import { getBlock } from "viem/actions";
import type { Run } from "./Run.ts";
import type { WalletCall } from "./Wallet.ts";

/** The effect of a transaction. */
export type CallData = Pick<WalletCall, "data" | "to" | "value">;

/**
 * Finds a transaction sent by the account itself, in blocks `from` to `to`.
 *
 * @throws The signal's reason when it fires; errors of the reader.
 *
 * @example
 * await findTransaction(run, { from: 7, signal, to: 9 }, ({ nonce }) => nonce === 3);
 */
export async function findTransaction(
  { reader, wallet }: Run,
  range: { from: number; signal: AbortSignal; to: number },
  isMeant: (transaction: Transaction) => boolean,
): Promise<Transaction | undefined> {
  for (let number = range.from; number <= range.to; number++) {
    range.signal.throwIfAborted();
    const block = await getBlock(reader, { blockNumber: BigInt(number), includeTransactions: true });
    const found = block.transactions.find(
      (transaction) => isAddressEqual(transaction.from, wallet.address) && isMeant(transaction),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a transaction matches a step. Wallets may append a tag to the calldata.
 *
 * @example
 * isSameCall(transaction, { data: "0x", to, value: 1n });
 */
export function isSameCall({ input, to, value }: Transaction, call: CallData): boolean {
  const data = call.data.toLowerCase() as Hex;
  const isSameData = data === "0x" ? input === data : input.startsWith(data);
  return isSameData && value === call.value && to !== null && isAddressEqual(to, call.to);
}
