import { type Hex, isAddressEqual, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { getBlockNumber, getTransaction, getTransactionCount, getTransactionReceipt } from "viem/actions";
import { TransactionReplacedError } from "../errors/TransactionReplacedError.ts";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import type { TransactionStep } from "../schema/quote/step.ts";
import { type ItemState, removeItem, setItem } from "./ExecutionState.ts";
import { type CallData, findTransaction, isSameCall } from "./findTransaction.ts";
import { poll } from "./poll.ts";
import type { Run } from "./Run.ts";
import { report } from "./report.ts";

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
type Sight =
  | { receipt: TransactionReceipt }
  | { changes: { fromBlock?: number; nonce?: number; txHash?: Hex } }
  | { replacedBy: Hex };

/**
 * Waits until a step's transaction is mined. Follows a speed-up of the account's own transaction to its new hash.
 * Cannot follow replacements by a bundler or another sender.
 *
 * @throws TransactionRevertedError when it reverted; TransactionReplacedError when another one took its nonce;
 * TimeoutError; AbortedError.
 *
 * @example
 * const receipt = await waitForReceipt(run, { call, item, step });
 */
export async function waitForReceipt(
  run: Run,
  { call, item: begun, step }: WaitForReceiptParameters,
): Promise<TransactionReceipt> {
  let item = begun;
  for (;;) {
    const { itemIndex, stepIndex, txHash: hash } = item;
    const event = { itemIndex, step, stepIndex };
    const sight = await poll(run, {
      operation: `waiting for transaction ${hash} of step ${step.id}`,
      read: (signal) => look(run, item, { call, signal }),
    });
    if ("receipt" in sight) return assertSuccess(run, step, sight.receipt);
    if ("replacedBy" in sight) {
      const { replacedBy } = sight;
      await report(run, { ...event, phase: "notDone", txHash: hash }, removeItem(run.state, item));
      throw new TransactionReplacedError({ hash, replacedBy, stepId: step.id });
    }
    item = { ...item, ...sight.changes };
    await report(run, { ...event, phase: "confirming", txHash: item.txHash }, setItem(run.state, item));
  }
}

async function look(
  run: Run,
  { fromBlock, nonce, txHash: hash }: SentItem,
  { call, signal }: { call: CallData; signal: AbortSignal },
): Promise<Sight | undefined> {
  const { reader, wallet } = run;
  try {
    return { receipt: await getTransactionReceipt(reader, { hash }) };
  } catch (error) {
    if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
  }
  const head = Number(await getBlockNumber(reader, { cacheTime: 0 }));
  if (nonce === undefined || fromBlock === undefined) {
    const transaction = await getTransaction(reader, { hash });
    if (!isAddressEqual(transaction.from, wallet.address)) return undefined;
    return { changes: { fromBlock: head, nonce: transaction.nonce } };
  }
  if ((await getTransactionCount(reader, { address: wallet.address })) <= nonce) return undefined;
  const range = { from: fromBlock, signal, to: head };
  const other = await findTransaction(run, range, (each) => each.nonce === nonce && each.hash !== hash);
  if (other === undefined) return undefined;
  return isSameCall(other, call) ? { changes: { txHash: other.hash } } : { replacedBy: other.hash };
}

function assertSuccess(run: Run, { id: stepId }: TransactionStep, receipt: TransactionReceipt) {
  const { blockNumber, status, transactionHash: hash } = receipt;
  if (status === "success") return receipt;
  throw new TransactionRevertedError({ blockNumber, chainId: run.originChainId, hash, stepId });
}
