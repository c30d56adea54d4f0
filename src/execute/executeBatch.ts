import { numberToHex } from "viem";
import { BaseError } from "../errors/BaseError.ts";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import { WalletFailedError } from "../errors/WalletFailedError.ts";
import { startDeadline } from "../internal/deadline.ts";
import type { EvmTransactionData, Step } from "../schema/quote/step.ts";
import { findItem, type ItemKey, type ItemState, removeItem, setItem } from "./ExecutionState.ts";
import { assertNotAborted, assertWalletChain, callOf } from "./executeTransactionItem.ts";
import type { OriginReceipt } from "./OriginReceipt.ts";
import { poll } from "./poll.ts";
import { assertProven, type ItemPhase, type Run } from "./Run.ts";
import { report } from "./report.ts";
import { isNotDone, toWalletFailedError } from "./toWalletFailedError.ts";
import { readApproval } from "./waitForAllowance.ts";

/**
 * Milliseconds that a wallet has to say what it can do. One that does not know the question may never answer.
 */
const capabilitiesTimeout = 5_000;

type BatchItem = ItemKey & { data: EvmTransactionData; stepId: string };

/**
 * Sends approvals and the following transaction, which spends what they allow, as one batch, and waits until
 * it is mined.
 *
 * @returns `undefined` when there is no batch to make: the item is not an approval, something else stands
 * between or was begun, or the wallet does not offer it, or refuses it without a person's saying so. Nothing
 * was sent then, and after a refusal no other batch is tried in this run.
 * @throws ChainMismatchError, WalletFailedError, TransactionRevertedError, TimeoutError, AbortedError
 *
 * @example
 * const receipts = await executeBatch(run, quote.steps, { itemIndex: 0, stepIndex: 0 });
 */
export async function executeBatch(
  run: Run,
  steps: readonly Step[],
  start: ItemKey,
): Promise<readonly OriginReceipt[] | undefined> {
  const batch = planBatch(run, steps, start);
  return batch.length > 1 && (await isOffered(run)) ? send(run, steps, batch) : undefined;
}

/**
 * Takes up a batch of an earlier run.
 *
 * @returns `undefined` when it is unknown whether the wallet ever got it.
 * @throws WalletFailedError when the wallet gave it up; TransactionRevertedError; TimeoutError; AbortedError.
 *
 * @example
 * const receipts = await resumeBatch(run, quote.steps, { batchId, status: "sent" });
 */
export async function resumeBatch(
  run: Run,
  steps: readonly Step[],
  { batchId, status }: { batchId: string; status: ItemState["status"] },
): Promise<readonly OriginReceipt[] | undefined> {
  if (status === "sending") {
    const isKnown = await readBatch(run, batchId).then(
      () => true,
      () => false,
    );
    if (!isKnown) return undefined;
  }
  return follow(run, steps, batchId);
}

function planBatch(run: Run, steps: readonly Step[], start: ItemKey): readonly BatchItem[] {
  const batch: BatchItem[] = [];
  for (let stepIndex = start.stepIndex; stepIndex < steps.length; stepIndex++) {
    const step = steps[stepIndex];
    if (step?.kind !== "transaction") return [];
    for (const [itemIndex, { data, status }] of step.items.entries()) {
      const isBefore = stepIndex === start.stepIndex && itemIndex < start.itemIndex;
      if (isBefore || status === "complete") continue;
      const key = { itemIndex, stepIndex };
      if (data?.to === undefined || findItem(run.state, key) !== undefined) return [];
      batch.push({ ...key, data, stepId: step.id });
      if (readApproval(data.data) === undefined) return batch;
    }
  }
  return [];
}

/**
 * Whether the wallet makes several calls on the origin chain one that happens as a whole or not at all
 * (EIP-5792, capability `atomic`). `ready`, which would first turn the account into a contract, is not
 * enough.
 */
async function isOffered({ client, originChainId, signal, wallet }: Run): Promise<boolean> {
  const { address, rpc } = wallet;
  if (rpc === undefined) return false;
  const chain = numberToHex(originChainId);
  const operation = "asking the wallet for its capabilities";
  const deadline = startDeadline({ now: client.now, operation, signal, timeoutMs: capabilitiesTimeout });
  try {
    const capabilities: Record<string, { atomic?: { status?: unknown } }> = await deadline.race(
      rpc.request({ method: "wallet_getCapabilities", params: [address, [chain]] }, { retryCount: 0 }),
    );
    // Zero stands for every chain.
    return (capabilities[chain]?.atomic ?? capabilities["0x0"]?.atomic)?.status === "supported";
  } catch {
    return false;
  } finally {
    deadline[Symbol.dispose]();
  }
}

async function send(
  run: Run,
  steps: readonly Step[],
  batch: readonly BatchItem[],
): Promise<readonly OriginReceipt[] | undefined> {
  const { client, originChainId, state, wallet } = run;
  // Chosen here, so that a later run can ask for it even when the answer was never seen.
  const batchId = `${state.requestId}${Math.trunc(client.now()).toString(16).padStart(16, "0")}`;
  const calls = batch.map(({ data }) => {
    const { value, ...call } = callOf(data);
    return { ...call, value: numberToHex(value) };
  });
  const [first] = batch;
  for (const item of batch) assertProven(run, item);
  await assertWalletChain(run, first?.stepId ?? "");
  await reportBatch(run, { batch, change: { batchId, status: "sending" }, phase: "sending", steps });
  let id: string;
  try {
    assertNotAborted(run);
    const params = {
      atomicRequired: true,
      calls,
      chainId: numberToHex(originChainId),
      from: wallet.address,
      id: batchId,
      version: "2.0.0",
    };
    const answer = await wallet.rpc?.request(
      { method: "wallet_sendCalls", params: [params] },
      { retryCount: 0 },
    );
    id = String(answer?.id ?? batchId);
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId: first?.stepId ?? "" });
    if (isNotDone(error)) {
      await reportBatch(run, { batch, change: undefined, phase: "notDone", steps });
      run.batch = "never";
      if (error instanceof WalletFailedError && !error.userRejected) return undefined;
    }
    throw error;
  }
  await reportBatch(run, { batch, change: { batchId: id, status: "sent" }, phase: "confirming", steps });
  return follow(run, steps, id);
}

async function follow(run: Run, steps: readonly Step[], batchId: string): Promise<readonly OriginReceipt[]> {
  const batch = run.state.items.filter((item) => item.batchId === batchId);
  const stepId = steps[batch[0]?.stepIndex ?? 0]?.id ?? "";
  const { receipts, status } = await poll(run, {
    operation: `waiting for batch ${batchId}`,
    read: async () => {
      const answer = await readBatch(run, batchId);
      return answer.status >= 200 ? answer : undefined;
    },
  });
  const last = receipts.at(-1);
  const reverted =
    receipts.find((receipt) => receipt.status === "reverted") ?? (status < 300 ? undefined : last);
  if (reverted !== undefined) {
    const { blockNumber, transactionHash: hash } = reverted;
    throw new TransactionRevertedError({ blockNumber, chainId: run.originChainId, hash, stepId });
  }
  if (status >= 300) {
    // The 400s say that it will never be mined.
    const outcome = status < 500 ? "notDone" : "unknown";
    if (outcome === "notDone") {
      await reportBatch(run, { batch, change: undefined, phase: "notDone", steps });
    }
    const cause = new BaseError(`The wallet says of batch ${batchId} status ${status}.`);
    throw new WalletFailedError({ cause, outcome, stepId, userRejected: false });
  }
  const txHash = last?.transactionHash;
  const change = { batchId, status: "complete" as const, ...(txHash && { txHash }) };
  await reportBatch(run, { batch, change, phase: "complete", steps });
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

/** Changes all items at once, so that whichever report is saved last holds all of it. */
async function reportBatch(
  run: Run,
  parameters: {
    batch: readonly ItemKey[];
    /** Replaces what is recorded; `undefined` removes it. */
    change: Omit<ItemState, keyof ItemKey> | undefined;
    phase: ItemPhase;
    steps: readonly Step[];
  },
): Promise<void> {
  const { batch, change, phase, steps } = parameters;
  let { state } = run;
  for (const { itemIndex, stepIndex } of batch) {
    const key = { itemIndex, stepIndex };
    state = change === undefined ? removeItem(state, key) : setItem(state, { ...key, ...change });
  }
  for (const { itemIndex, stepIndex } of batch) {
    const step = steps[stepIndex];
    if (step !== undefined) {
      await report(run, { itemIndex, phase, step, stepIndex, txHash: change?.txHash }, state);
    }
  }
}
