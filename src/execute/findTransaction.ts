import {
  type Address,
  type Hex,
  isAddressEqual,
  isHash,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
} from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import { highestS } from "../records/recoverSigner.ts";
import type { ItemEntry } from "./ExecutionState.ts";
import { poll } from "./poll.ts";
import type { Run, TransactionItem } from "./Run.ts";
import { isSameCall } from "./stepCall.ts";

/** Blocks searched for a transaction after the block of the wallet request. */
const blocksToSearch = 1_000;

/**
 * Searches for a transaction that an earlier run requested without a response: one of the account with the same effect,
 * in the first blocks after the request.
 */
export async function recoverTransaction(
  run: Run,
  item: TransactionItem,
  { fromBlock }: ItemEntry,
): Promise<{ txHash: Hex } | undefined> {
  if (fromBlock === undefined) return undefined;
  const { found } = await poll(run, "looking for the transaction", async (signal) => {
    const head = Number(await getBlockNumber(run.reader, { cacheTime: 0 }));
    const range = { from: fromBlock + 1, signal, to: Math.min(head, fromBlock + blocksToSearch) };
    return { found: await findTransaction(run, range, (each) => isSameCall(run, each, item)) };
  });
  return found && isHash(found.hash) ? { txHash: found.hash } : undefined;
}

/** Finds a transaction sent by the account itself, in blocks `from` to `to`. */
export async function findTransaction(
  { reader, wallet: { account } }: Run,
  { from, signal, to }: { from: number; signal: AbortSignal; to: number },
  isMeant: (transaction: Transaction) => boolean,
): Promise<Transaction | undefined> {
  for (let number = from; number <= to; number++) {
    signal.throwIfAborted();
    const block = await getBlock(reader, { blockNumber: BigInt(number), includeTransactions: true });
    const isOwn = (each: Transaction) => isAddressEqual(each.from, account.address);
    const found = block.transactions.find((each) => isOwn(each) && isMeant(each));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether the account signed a transaction, or its bytes, for the origin chain. A node could make one up, or show another
 * one under its hash, so that a payment seems to be replaced and is made again.
 */
export async function isSigned(
  { originChainId, wallet }: { originChainId: number; wallet: { account: { address: Address } } },
  transaction: Hex | Transaction,
): Promise<boolean> {
  try {
    const isBytes = typeof transaction === "string";
    const parts = isBytes ? {} : { ...transaction, data: transaction.input };
    const raw = isBytes ? transaction : serializeTransaction(parts as never, parts as never);
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    // Legacy transactions name their chain in the signature alone.
    const { chainId, s = "0x" } = parseTransaction(raw);
    const isOwn = isAddressEqual(signer, wallet.account.address);
    const isNamed = isBytes || keccak256(raw) === transaction.hash;
    return isOwn && isNamed && chainId === originChainId && BigInt(s) <= highestS;
  } catch {
    return false;
  }
}
