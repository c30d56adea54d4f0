import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
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
import type { TransactionStep } from "../schema/quote/step.ts";
import { type ItemState, setItem } from "./ExecutionState.ts";
import { findTransaction, isSigned } from "./findTransaction.ts";
import { poll } from "./poll.ts";
import { type Run, report } from "./Run.ts";
import { type CallData, isSameCall } from "./stepCall.ts";

/** An item whose transaction has a hash. */
export type SentItem = ItemState & { txHash: Hex };

/** Parameters of {@link waitForReceipt}. */
export type WaitForReceiptParameters = {
  /** Effect of the transaction, to recognise a replacement. */
  call: CallData;
  item: SentItem;
  step: TransactionStep;
};

/** Result of one read of the chain. */
type Sight = { receipt: TransactionReceipt } | { changes: Partial<SentItem> } | { replacedBy: Hex };

/**
 * Waits until a step's transaction is mined. Sends signed bytes until a node has them, and again when no node has them
 * any more, but not after the order's deadline. Follows a speed-up of the account's own transaction to its new hash.
 * Cannot follow replacements by a bundler or another sender.
 *
 * @throws TransactionRevertedError when it reverted; TransactionReplacedError when the account signed another one for its
 * nonce, and that one was mined; PaymentUnsettledError after the time limit; AbortedError.
 */
export async function waitForReceipt(
  run: Run,
  { call, item: begun, step }: WaitForReceiptParameters,
): Promise<TransactionReceipt> {
  let item = begun;
  for (;;) {
    const { itemIndex, stepIndex, txHash: hash } = item;
    const event = { itemIndex, step, stepIndex };
    const submitted = { stepId: step.id, txHash: hash };
    const sight = await poll(run, {
      operation: `waiting for transaction ${hash} of step ${step.id}`,
      read: (signal) => look(run, item, { call, signal }),
      submitted,
    });
    if ("receipt" in sight) {
      const { blockNumber, status } = sight.receipt;
      const { originChainId: chainId } = run;
      if (item.raw === undefined) await assertChain(run, submitted);
      if (status === "success") return sight.receipt;
      throw new TransactionRevertedError({ blockNumber, chainId, hash, stepId: step.id });
    }
    if ("replacedBy" in sight) {
      const { replacedBy } = sight;
      // The item stays: a node may show another transaction of the account that was never mined.
      throw new TransactionReplacedError({ hash, replacedBy, stepId: step.id });
    }
    item = { ...item, ...sight.changes };
    await report(run, { ...event, phase: "confirming", txHash: item.txHash }, setItem(run.state, item));
  }
}

async function look(
  run: Run,
  { fromBlock, nonce, raw, status, txHash: hash }: SentItem,
  { call, signal }: { call: CallData; signal: AbortSignal },
): Promise<Sight | undefined> {
  const { reader, wallet } = run;
  let refusal: unknown;
  if (raw !== undefined && status === "signed") {
    try {
      await broadcast(run, raw);
      return { changes: { status: "sent" } };
    } catch (error) {
      // The chain decides: a node may have the transaction and say the contrary.
      refusal = error;
    }
  }
  try {
    const receipt = await getTransactionReceipt(reader, { hash });
    if (receipt.transactionHash === hash) return { receipt };
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
  if ((await getTransactionCount(reader, { address: wallet.address })) > nonce) {
    const range = { from: fromBlock, signal, to: head };
    const other = await findTransaction(run, range, (each) => each.nonce === nonce && each.hash !== hash);
    if (other !== undefined && (await isSigned(run, other))) {
      return isSameCall(other, call)
        ? { changes: { raw: undefined, txHash: other.hash } }
        : { replacedBy: other.hash };
    }
  }
  if (refusal !== undefined) throw refusal;
  if (raw !== undefined) await getTransaction(reader, { hash }).catch(() => broadcast(run, raw));
  return undefined;
}

/** Sends the signed bytes, if a solver may still fill their order. */
async function broadcast({ client, deadline, reader, wallet }: Run, raw: Hex): Promise<void> {
  if (deadline !== undefined && deadline <= client.now()) {
    throw new BaseError("The order has expired, so the signed transaction is not sent again.");
  }
  await sendRawTransaction(wallet.rpc ?? reader, { serializedTransaction: raw });
}

/** A wallet that sends itself may have switched to another chain. */
async function assertChain(
  { originChainId, reader }: Run,
  { stepId, txHash }: { stepId: string; txHash: Hex },
): Promise<void> {
  const mined = await getTransaction(reader, { hash: txHash }).catch(() => undefined);
  const actualChainId = mined?.chainId ?? originChainId;
  if (actualChainId === originChainId) return;
  const cause = new ChainMismatchError({ actualChainId, expectedChainId: originChainId, subject: "wallet" });
  throw new PaymentUnsettledError({ cause, stepId, txHash });
}
