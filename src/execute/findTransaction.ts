import {
  type Hex,
  isAddressEqual,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
} from "viem";
import { getBlock } from "viem/actions";
import type { Run } from "./Run.ts";

/**
 * Finds a transaction sent by the account itself, in blocks `from` to `to`.
 *
 * @throws The signal's reason when it fires; errors of the reader.
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
 * Whether the account signed a transaction for the origin chain, under its nonce. A node could make up one, so that a
 * payment seems to be replaced and is made again.
 */
export async function isSigned({ originChainId, wallet }: Run, transaction: Transaction): Promise<boolean> {
  const { input, r, s, v, yParity, gasPrice, ...fields } = transaction;
  const prices = fields.maxFeePerGas === undefined ? { gasPrice } : {};
  try {
    const signature = { r, s, v, yParity } as { r: Hex; s: Hex; v: bigint; yParity: number };
    const raw = serializeTransaction({ ...fields, ...prices, data: input } as never, signature);
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    // Legacy transactions name their chain in the signature alone.
    return parseTransaction(raw).chainId === originChainId && isAddressEqual(signer, wallet.address);
  } catch {
    return false;
  }
}
