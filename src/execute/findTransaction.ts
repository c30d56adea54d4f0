import {
  type Hex,
  isAddressEqual,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
} from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import { type ItemEntry, setItem } from "./ExecutionState.ts";
import { poll } from "./poll.ts";
import type { Run, TransactionItem } from "./Run.ts";
import { isSameCall } from "./stepCall.ts";

/** Blocks searched for a transaction after the block of the wallet request. */
const blocksToSearch = 1_000;

/**
 * Searches for a transaction that an earlier run requested without a response: one of the account with the same effect,
 * in the first blocks after the request.
 *
 * @returns Whether it was found and recorded.
 * @throws TimeoutError, AbortedError
 */
export async function recoverTransaction(
  run: Run,
  item: TransactionItem,
  entry: ItemEntry,
): Promise<boolean> {
  const { fromBlock } = entry;
  if (fromBlock === undefined) return false;
  const { found } = await poll(run, {
    operation: "looking for a transaction that may have been sent",
    read: async (signal) => {
      const head = Number(await getBlockNumber(run.reader, { cacheTime: 0 }));
      const range = { from: fromBlock + 1, signal, to: Math.min(head, fromBlock + blocksToSearch) };
      return { found: await findTransaction(run, range, (each) => isSameCall(run, each, item)) };
    },
  });
  if (found === undefined) return false;
  run.state = setItem(run.state, item, { ...entry, status: "sent", txHash: found.hash });
  return true;
}

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
 * Whether the account signed a transaction, or its bytes, for the origin chain. A node could make one up, so that a payment
 * seems to be replaced and is made again.
 */
export async function isSigned(
  { originChainId, wallet }: Run,
  transaction: Hex | Transaction,
): Promise<boolean> {
  try {
    const raw = typeof transaction === "string" ? transaction : toBytes(transaction);
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    // Legacy transactions name their chain in the signature alone.
    return parseTransaction(raw).chainId === originChainId && isAddressEqual(signer, wallet.address);
  } catch {
    return false;
  }
}

function toBytes({ input, r, s, v, yParity, gasPrice, ...fields }: Transaction): Hex {
  const prices = fields.maxFeePerGas === undefined ? { gasPrice } : {};
  return serializeTransaction({ ...fields, ...prices, data: input } as never, { r, s, v, yParity } as never);
}
