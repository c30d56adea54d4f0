import type { Hex, TransactionReceipt } from "viem";
import { estimateGas, getBlockNumber } from "viem/actions";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import { toAbortError } from "../internal/toAbortError.ts";
import type { EvmTransactionData, TransactionStep } from "../schema/quote/step.ts";
import { findItem, type ItemKey, type ItemState, removeItem, setItem } from "./ExecutionState.ts";
import { type CallData, findTransaction, isSameCall } from "./findTransaction.ts";
import { poll } from "./poll.ts";
import { assertProven, type Run } from "./Run.ts";
import { report } from "./report.ts";
import { isEstimateFailure, isNotDone, toWalletFailedError } from "./toWalletFailedError.ts";
import { readApproval, waitForAllowance } from "./waitForAllowance.ts";
import { type SentItem, waitForReceipt } from "./waitForReceipt.ts";

/** Blocks searched for a transaction after the block of the wallet request. */
const blocksToSearch = 1_000;

/** Parameters of {@link executeTransactionItem}. */
export type ExecuteTransactionItemParameters = ItemKey & { data: EvmTransactionData; step: TransactionStep };

/**
 * Sends a transaction unless already sent, and waits until it is mined and, for an approval, visible.
 *
 * Ignores the quote's fees, which may be outdated. The quote's gas is a minimum for the wallet's estimate. The estimate
 * fails before costing anything, but misses that a pool's first trade in a second costs more.
 *
 * @throws ChainMismatchError, WalletFailedError, TransactionRevertedError, TransactionReplacedError, TimeoutError,
 * AbortedError
 *
 * @example
 * const receipt = await executeTransactionItem(run, { data, itemIndex: 0, step, stepIndex: 1 });
 */
export async function executeTransactionItem(
  run: Run,
  { data, itemIndex, step, stepIndex }: ExecuteTransactionItemParameters,
): Promise<TransactionReceipt> {
  const key = { itemIndex, stepIndex };
  const recorded = findItem(run.state, key);
  const txHash = recorded?.txHash ?? (await send(run, { data, itemIndex, step, stepIndex }));
  const item: SentItem = { status: "sent", ...recorded, ...key, txHash };
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

/**
 * Searches for a transaction that an earlier run requested without a response: one of the account with the same effect,
 * in the first blocks after the request.
 *
 * @returns Whether it was found and recorded.
 * @throws TimeoutError, AbortedError
 *
 * @example
 * await recoverTransaction(run, { call, item }); // false: look again later, it may not be mined yet
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

async function send(run: Run, parameters: ExecuteTransactionItemParameters): Promise<Hex> {
  const { itemIndex, step, stepIndex } = parameters;
  const key = { itemIndex, stepIndex };
  const event = { ...key, step, txHash: undefined };
  assertProven(run, { ...key, stepId: step.id });
  await assertWalletChain(run, step.id);
  const head = await getBlockNumber(run.reader, { cacheTime: 0 }).catch(() => undefined);
  // Recorded before the wallet request: after a crash in between, the transaction must not be sent again.
  const sending = {
    ...key,
    status: "sending" as const,
    ...(head !== undefined && { fromBlock: Number(head) }),
  };
  await report(run, { ...event, phase: "sending" }, setItem(run.state, sending));
  let hash: Hex;
  try {
    hash = await askTwice(run, parameters);
  } catch (cause) {
    const isRejected = cause instanceof StepRejectedError;
    const error = isRejected ? cause : toWalletFailedError(cause, { leavesNothing: false, stepId: step.id });
    if (isNotDone(error)) {
      await report(run, { ...event, phase: "notDone" }, removeItem(run.state, key));
    }
    throw error;
  }
  const sent = setItem(run.state, { ...key, status: "sent", txHash: hash });
  await report(run, { ...event, phase: "confirming", txHash: hash }, sent);
  return hash;
}

/** The wallet's node may lag behind the approval of an earlier item, so its estimate is retried once. */
async function askTwice(run: Run, parameters: ExecuteTransactionItemParameters): Promise<Hex> {
  try {
    return await askWallet(run, parameters);
  } catch (cause) {
    if (!isEstimateFailure(cause) || parameters.itemIndex + parameters.stepIndex === 0) throw cause;
    await run.client.sleep(run.pollingInterval, run.signal);
    return await askWallet(run, parameters);
  }
}

async function askWallet(run: Run, parameters: ExecuteTransactionItemParameters): Promise<Hex> {
  const { originChainId: chainId, wallet } = run;
  const { data } = parameters;
  const gas = await readGas(run, parameters);
  assertNotAborted(run);
  return wallet.sendTransaction({ ...callOf(data), chainId, gas });
}

/**
 * Converts a step's transaction to a wallet call.
 *
 * @example
 * callOf({ to: "0x5FbDB2315678afecb367f032d93F642f64180aa3" }).value; // 0n
 */
export function callOf({ data = "0x", to, value = "0" }: EvmTransactionData): CallData {
  return { data, to, value: BigInt(value) };
}

/**
 * Returns the quote's gas if an estimate does not exceed it; else undefined, for the wallet's estimate.
 *
 * @throws StepRejectedError above the caller's maximum: undecoded calls could burn gas.
 */
async function readGas(
  { maximumGas, reader, wallet }: Run,
  { data, itemIndex, step, stepIndex }: ExecuteTransactionItemParameters,
): Promise<bigint | undefined> {
  if (data.gas === undefined && maximumGas === undefined) return undefined;
  // The wallet rejects a call that cannot be estimated, with its own error.
  const estimated = await estimateGas(reader, { account: wallet.address, ...callOf(data) }).catch(
    () => undefined,
  );
  if (estimated !== undefined && maximumGas !== undefined && estimated > maximumGas) {
    const reason = `it needs ${estimated} gas, above maximumGas, ${maximumGas}`;
    throw new StepRejectedError({ itemIndex, reason, stepId: step.id, stepIndex });
  }
  const quoted = data.gas === undefined ? 0n : BigInt(data.gas);
  return estimated === undefined || estimated > quoted ? undefined : quoted;
}

/**
 * Stops only before a wallet request; a pending request is awaited.
 *
 * @throws AbortedError
 *
 * @example
 * assertNotAborted({ signal: AbortSignal.abort() }); // throws
 */
export function assertNotAborted({ signal }: Pick<Run, "signal">): void {
  if (signal?.aborted === true) throw toAbortError(signal, "executing a quote");
}

/**
 * Checked before every transaction, because the user may switch the wallet's chain in between.
 *
 * @throws ChainMismatchError, WalletFailedError
 *
 * @example
 * await assertWalletChain(run, "deposit");
 */
export async function assertWalletChain({ originChainId, wallet }: Run, stepId: string): Promise<void> {
  const actualChainId = await wallet.getChainId().catch((cause: unknown) => {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  });
  if (actualChainId === originChainId) return;
  throw new ChainMismatchError({ actualChainId, expectedChainId: originChainId, subject: "wallet" });
}
