import { numberToHex } from "viem";
import { BaseError } from "../errors/BaseError.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";
import { raceDeadline } from "../internal/deadline.ts";
import { findItem, type ItemEntry, type ItemKey, setItem } from "./ExecutionState.ts";
import { assertWalletChain } from "./executeTransactionItem.ts";
import { poll, readInTime } from "./poll.ts";
import {
  assertNotAborted,
  assertProven,
  type Item,
  type ItemPhase,
  type OriginReceipt,
  type Run,
  report,
  type TransactionItem,
  toTransactionItem,
} from "./Run.ts";
import { callOf, readApproval } from "./stepCall.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";

/** Time limit for a wallet to report its capabilities, in milliseconds. Some wallets never answer an unknown method. */
const capabilitiesTimeout = 5_000;

/**
 * Sends approvals and the following transaction as one batch, and waits until it is mined.
 *
 * @returns `undefined` without a batch: the item is not an approval, another item stands between or has started, or the
 * wallet lacks support or rejects the batch (not the user). Then nothing was sent, and after a rejection the run tries
 * no other batch.
 * @throws ChainMismatchError, WalletFailedError, PaymentUnsettledError, TransactionRevertedError, TimeoutError, AbortedError
 */
export async function executeBatch(run: Run, start: ItemKey): Promise<readonly OriginReceipt[] | undefined> {
  const batch = planBatch(run, start);
  return batch.length > 1 && (await isOffered(run)) ? send(run, batch) : undefined;
}

/**
 * Resumes a batch of an earlier run.
 *
 * @returns `undefined` when the wallet may never have received it.
 * @throws WalletFailedError when the wallet dropped it; TransactionRevertedError; TimeoutError; AbortedError.
 */
export async function resumeBatch(
  run: Run,
  batchId: string,
  status: ItemEntry["status"],
): Promise<readonly OriginReceipt[] | undefined> {
  const ask = () => readInTime(run, "asking the wallet for the batch", readBatch(run, batchId));
  const isKnown = status !== "sending" || (await ask().catch(() => undefined)) !== undefined;
  return isKnown ? follow(run, batchId) : undefined;
}

function planBatch({ state, steps }: Run, start: ItemKey): readonly TransactionItem[] {
  const batch: TransactionItem[] = [];
  for (const [stepIndex, step] of steps.entries()) {
    if (stepIndex < start.stepIndex) continue;
    if (step.kind !== "transaction") return [];
    for (const [itemIndex, { status }] of step.items.entries()) {
      const isBefore = stepIndex === start.stepIndex && itemIndex < start.itemIndex;
      if (isBefore || status === "complete") continue;
      const item = toTransactionItem({ itemIndex, step, stepIndex });
      if (item === undefined || findItem(state, item) !== undefined) return [];
      batch.push(item);
      if (readApproval(item.data.data) === undefined) return batch;
    }
  }
  return [];
}

/**
 * Whether the wallet executes batches atomically on the origin chain (EIP-5792, capability `atomic`). `ready` does not
 * count: it would first upgrade the account to a contract.
 */
async function isOffered({ client, originChainId, signal, wallet }: Run): Promise<boolean> {
  const { address, rpc } = wallet;
  if (rpc === undefined) return false;
  const chain = numberToHex(originChainId);
  const operation = "asking the wallet for its capabilities";
  const limit = { now: client.now, operation, signal, timeoutMs: capabilitiesTimeout };
  try {
    const capabilities: Record<string, { atomic?: { status?: unknown } }> = await raceDeadline(
      limit,
      rpc.request({ method: "wallet_getCapabilities", params: [address, [chain]] }, { retryCount: 0 }),
    );
    // Zero means every chain.
    return (capabilities[chain]?.atomic ?? capabilities["0x0"]?.atomic)?.status === "supported";
  } catch {
    return false;
  }
}

async function send(
  run: Run,
  batch: readonly TransactionItem[],
): Promise<readonly OriginReceipt[] | undefined> {
  const { client, originChainId, state, wallet } = run;
  // Generated here, so that a later run can look up the batch even without the wallet's response.
  const batchId = `${state.requestId}${Math.trunc(client.now()).toString(16).padStart(16, "0")}`;
  const calls = batch.map(({ data }) => {
    const { value, ...call } = callOf(data);
    return { ...call, value: numberToHex(value) };
  });
  const stepId = batch[0]?.step.id ?? "";
  for (const item of batch) assertProven(run, item);
  await assertWalletChain(run, stepId);
  await reportBatch(run, batch, "sending", { batchId, status: "sending" });
  const chainId = numberToHex(originChainId);
  const from = wallet.address;
  const params = { atomicRequired: true, calls, chainId, from, id: batchId, version: "2.0.0" };
  if (run.signal?.aborted === true) await reportBatch(run, batch, "notDone", null);
  assertNotAborted(run);
  let id: string;
  try {
    const answer = await wallet.rpc?.request(
      { method: "wallet_sendCalls", params: [params] },
      { retryCount: 0 },
    );
    id = String(answer?.id ?? batchId);
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId });
    if (error instanceof PaymentUnsettledError) throw error;
    await reportBatch(run, batch, "notDone", null);
    run.batch = "never";
    if (!error.userRejected) return undefined;
    throw error;
  }
  await reportBatch(run, batch, "confirming", { batchId: id, status: "sent" });
  return follow(run, id);
}

async function follow(run: Run, batchId: string): Promise<readonly OriginReceipt[]> {
  const batch = run.state.items.flatMap((entry): readonly Item[] => {
    const step = run.steps[entry.stepIndex];
    return entry.batchId === batchId && step !== undefined ? [{ ...entry, step }] : [];
  });
  const stepId = batch[0]?.step.id ?? "";
  const { receipts, status } = await poll(run, {
    operation: `waiting for batch ${batchId}`,
    read: async () => {
      const answer = await readBatch(run, batchId);
      return answer.status >= 200 ? answer : undefined;
    },
    submitted: { stepId },
  });
  const last = receipts.at(-1);
  const reverted =
    receipts.find((receipt) => receipt.status === "reverted") ?? (status < 300 ? undefined : last);
  if (reverted !== undefined) {
    const { blockNumber, transactionHash: hash } = reverted;
    throw new TransactionRevertedError({ blockNumber, chainId: run.originChainId, hash, stepId });
  }
  if (status >= 300) {
    const cause = new BaseError(`The wallet says of batch ${batchId} status ${status}.`);
    if (status >= 500) throw new PaymentUnsettledError({ cause, stepId });
    // A status of 400 to 499 means that it will never be mined.
    await reportBatch(run, batch, "notDone", null);
    throw new WalletFailedError({ cause, stepId, userRejected: false });
  }
  const txHash = last?.transactionHash;
  await reportBatch(run, batch, "complete", { batchId, status: "complete", ...(txHash && { txHash }) });
  return receipts;
}

async function readBatch({ wallet }: Run, batchId: string) {
  const answer = await wallet.rpc?.request({ method: "wallet_getCallsStatus", params: [batchId] });
  const receipts = (answer?.receipts ?? []).map(
    ({ blockNumber, gasUsed, status, transactionHash }): OriginReceipt => ({
      blockNumber: BigInt(blockNumber),
      gasUsed: BigInt(gasUsed),
      status: BigInt(status) === 1n ? "success" : "reverted",
      transactionHash,
    }),
  );
  return { receipts, status: Number(answer?.status) };
}

/** Updates all items at once, so that the last saved state contains them all. */
async function reportBatch(
  run: Run,
  batch: readonly Item[],
  phase: ItemPhase,
  change: ItemEntry | null,
): Promise<void> {
  for (const item of batch) run.state = setItem(run.state, item, change);
  for (const item of batch) await report(run, item, phase);
}
