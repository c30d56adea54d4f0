import { type Hex, keccak256, type TransactionReceipt } from "viem";
import { getBlockNumber } from "viem/actions";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { toAbortError } from "../internal/toAbortError.ts";
import { findItem, type ItemState, removeItem, setItem } from "./ExecutionState.ts";
import { findTransaction } from "./findTransaction.ts";
import { poll } from "./poll.ts";
import { prepareTransaction, signTransaction, type TransactionItem } from "./prepareTransaction.ts";
import { assertProven, type Run, report } from "./Run.ts";
import { type CallData, callOf, isSameCall, readApproval } from "./stepCall.ts";
import { isNotDone, toWalletFailedError } from "./toWalletFailedError.ts";
import { waitForAllowance } from "./waitForAllowance.ts";
import { type SentItem, waitForReceipt } from "./waitForReceipt.ts";

/** Blocks searched for a transaction after the block of the wallet request. */
const blocksToSearch = 1_000;

/**
 * Sends a transaction unless already sent, and waits until it is mined and, for an approval, visible.
 *
 * With a key of this process: signs it, reports the signed bytes for the caller to save, and sends them. Whatever a node
 * answers, only the chain decides; the same bytes are sent again, also by a later run. Wallets that send themselves get a
 * request with every field.
 *
 * @throws ChainMismatchError, StepRejectedError, WalletFailedError: nothing was sent. PaymentUnsettledError,
 * TransactionRevertedError, TransactionReplacedError, AbortedError.
 */
export async function executeTransactionItem(
  run: Run,
  { data, itemIndex, step, stepIndex }: TransactionItem,
): Promise<TransactionReceipt> {
  const key = { itemIndex, stepIndex };
  const recorded = findItem(run.state, key);
  const item: SentItem = hasHash(recorded) ? recorded : await send(run, { ...key, data, step });
  // The ledger may have lent the bytes to a run whose caller has not saved them.
  if (item === recorded && item.raw !== undefined) {
    await report(run, { ...key, phase: "sending", step, txHash: item.txHash });
  }
  const receipt = await waitForReceipt(run, { call: callOf(data), item, step });
  const event = { ...key, step, txHash: receipt.transactionHash };
  const approval = readApproval(data.data);
  if (approval !== undefined) {
    await report(run, { ...event, phase: "allowance" });
    await waitForAllowance(run, { approval, token: data.to });
  }
  const state = setItem(run.state, { ...key, status: "complete", txHash: event.txHash });
  await report(run, { ...event, phase: "complete" }, state);
  return receipt;
}

const hasHash = (item: ItemState | undefined): item is SentItem => item?.txHash !== undefined;

/**
 * Searches for a transaction that an earlier run requested without a response: one of the account with the same effect,
 * in the first blocks after the request.
 *
 * @returns Whether it was found and recorded.
 * @throws TimeoutError, AbortedError
 */
export async function recoverTransaction(
  run: Run,
  { call, item }: { call: CallData; item: ItemState },
): Promise<boolean> {
  const { fromBlock } = item;
  if (fromBlock === undefined) return false;
  const { found } = await poll(run, {
    operation: "looking for a transaction that may have been sent",
    read: async (signal) => {
      const head = Number(await getBlockNumber(run.reader, { cacheTime: 0 }));
      const range = { from: fromBlock + 1, signal, to: Math.min(head, fromBlock + blocksToSearch) };
      return { found: await findTransaction(run, range, (each) => isSameCall(each, call)) };
    },
  });
  if (found === undefined) return false;
  run.state = setItem(run.state, { ...item, status: "sent", txHash: found.hash });
  return true;
}

async function send(run: Run, parameters: TransactionItem): Promise<SentItem> {
  const { wallet } = run;
  const { itemIndex, step, stepIndex } = parameters;
  const key = { itemIndex, stepIndex };
  const event = { ...key, step, txHash: undefined };
  await assertWalletChain(run, step.id);
  const { fromBlock, transaction } = await prepareTransaction(run, parameters);
  assertNotAborted(run);
  assertProven(run, { ...key, stepId: step.id });
  if (wallet.signTransaction !== undefined) {
    const { nonce, raw } = await signTransaction(run, parameters, transaction);
    const txHash = keccak256(raw);
    const signed = { ...key, fromBlock, nonce, raw, status: "signed" as const, txHash };
    await report(run, { ...event, phase: "sending", txHash }, setItem(run.state, signed));
    assertNotAborted(run);
    return signed;
  }
  // Recorded before the wallet request: after a crash in between, the transaction must not be sent again.
  const sending = { ...key, fromBlock, status: "sending" as const };
  await report(run, { ...event, phase: "sending" }, setItem(run.state, sending));
  let txHash: Hex;
  try {
    assertNotAborted(run);
    txHash = await wallet.sendTransaction(transaction);
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId: step.id });
    if (isNotDone(error)) await report(run, { ...event, phase: "notDone" }, removeItem(run.state, key));
    throw error;
  }
  const sent = { ...sending, status: "sent" as const, txHash };
  await report(run, { ...event, phase: "confirming", txHash }, setItem(run.state, sent));
  return sent;
}

/**
 * Stops only before a wallet request; a pending request is awaited.
 *
 * @throws AbortedError
 */
export function assertNotAborted({ signal }: Pick<Run, "signal">): void {
  if (signal?.aborted === true) throw toAbortError(signal, "executing a quote");
}

/**
 * Checked before every transaction, because the user may switch the wallet's chain in between.
 *
 * @throws ChainMismatchError, WalletFailedError
 */
export async function assertWalletChain({ originChainId, wallet }: Run, stepId: string): Promise<void> {
  const actualChainId = await wallet.getChainId().catch((cause: unknown) => {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  });
  if (actualChainId === originChainId) return;
  throw new ChainMismatchError({ actualChainId, expectedChainId: originChainId, subject: "wallet" });
}
