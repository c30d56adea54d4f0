import {
  type Hex,
  isAddressEqual,
  type Transaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import {
  getBlockNumber,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from "viem/actions";
import { BaseError } from "../errors/BaseError.ts";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { TransactionReplacedError } from "../errors/TransactionReplacedError.ts";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import type { ItemEntry } from "./ExecutionState.ts";
import { findTransaction, isSigned } from "./findTransaction.ts";
import { poll } from "./poll.ts";
import { type Run, report, type TransactionItem } from "./Run.ts";
import { isSameCall, readApproval } from "./stepCall.ts";

/** Entry of a transaction with a hash. */
export type SentEntry = ItemEntry & { txHash: Hex };

/**
 * Waits until a step's transaction is mined. Sends signed bytes until a node has them, and again when no node has them
 * any more, but not after the order's deadline. Follows a speed-up of the account's own transaction to its new hash.
 * Cannot follow replacements by a bundler or another sender.
 */
export async function waitForReceipt(
  run: Run,
  item: TransactionItem,
  entry: SentEntry,
  earlier: readonly Hex[] = [],
): Promise<TransactionReceipt> {
  const { id: stepId } = item.step;
  const { txHash: hash } = entry;
  // A node that shows two hashes in turn must not restart the time limit for ever.
  const followed = [...earlier, hash];
  const operation = `waiting for transaction ${hash}`;
  const read = (signal: AbortSignal) => look(run, item, entry, followed, signal);
  const { changes, fault, receipt, replacedBy } = await poll(run, operation, read, { stepId, txHash: hash });
  // The item stays: a node may show another transaction of the account that was never mined.
  if (replacedBy !== undefined) throw new TransactionReplacedError({ hash, replacedBy, stepId });
  if (receipt === undefined) {
    const changed = { ...entry, ...changes };
    await report(run, item, "confirming", changed);
    return waitForReceipt(run, item, changed, followed);
  }
  if (fault !== undefined) throw new PaymentUnsettledError({ cause: fault, stepId, txHash: hash });
  const { blockNumber, status } = receipt;
  if (status === "success") return receipt;
  throw new TransactionRevertedError({ blockNumber, chainId: run.originChainId, hash, stepId });
}

/** What a read of the chain shows: a receipt, another transaction, or changes of the entry. Undefined: nothing new. */
async function look(
  run: Run,
  item: TransactionItem,
  { fromBlock, nonce, raw, status, txHash: hash }: SentEntry,
  followed: readonly Hex[],
  signal: AbortSignal,
) {
  const { reader, wallet } = run;
  let refusal: unknown;
  if (raw !== undefined && status === "signed") {
    try {
      await broadcast(run, raw);
      return { changes: { status: "sent" as const } };
    } catch (error) {
      // The chain decides: a node may have the transaction and say the contrary.
      refusal = error;
    }
  }
  try {
    const receipt = await getTransactionReceipt(reader, { hash });
    // The signed bytes were compared before. A wallet or a state may name another transaction.
    const fault =
      raw === undefined ? findFault(run, item, await getTransaction(reader, { hash })) : undefined;
    // Some nodes answer with a receipt of a pending transaction, without a block and a status.
    const isMined = receipt.blockNumber !== null && ["reverted", "success"].includes(receipt.status);
    if (isMined && receipt.transactionHash === hash) return { fault, receipt };
  } catch (error) {
    if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
  }
  const head = Number(await getBlockNumber(reader, { cacheTime: 0 }));
  if (nonce === undefined || fromBlock === undefined) {
    const transaction = await getTransaction(reader, { hash });
    // A wrong nonce would make any earlier transaction of the account look like a replacement.
    if (transaction.hash !== hash || !(await isSigned(run, transaction))) return undefined;
    return { changes: { fromBlock: head, nonce: transaction.nonce } };
  }
  if ((await getTransactionCount(reader, { address: wallet.account.address })) > nonce) {
    const range = { from: fromBlock, signal, to: head };
    const isOther = (each: Transaction) => each.nonce === nonce && !followed.includes(each.hash);
    const other = await findTransaction(run, range, isOther);
    if (other !== undefined && (await isSigned(run, other))) {
      return isSameCall(run, other, item)
        ? { changes: { raw: undefined, status: "sent" as const, txHash: other.hash } }
        : { replacedBy: other.hash };
    }
  }
  if (refusal !== undefined) throw refusal;
  if (raw !== undefined) await getTransaction(reader, { hash }).catch(() => broadcast(run, raw));
  return undefined;
}

/** Sends the signed bytes, if a solver may still fill their order. */
async function broadcast({ client, deadline, wallet }: Run, raw: Hex): Promise<void> {
  if (deadline !== undefined && deadline <= client.now()) {
    throw new BaseError("The order has expired.");
  }
  await sendRawTransaction(wallet, { serializedTransaction: raw });
}

/**
 * A wallet that sends itself may have switched to another chain, and a state may name another transaction of the account.
 * People change approvals in their wallet; only the allowance counts.
 */
function findFault(run: Run, item: TransactionItem, mined: Transaction): BaseError | undefined {
  const { originChainId: expectedChainId, wallet } = run;
  const { chainId: actualChainId = expectedChainId, from } = mined;
  const isApproval = readApproval(item.data) !== undefined;
  if (!isApproval && isAddressEqual(from, wallet.account.address) && !isSameCall(run, mined, item)) {
    return new BaseError("The transaction is not that of the step.");
  }
  if (actualChainId === expectedChainId) return undefined;
  return new ChainMismatchError({ actualChainId, expectedChainId, subject: "wallet" });
}
