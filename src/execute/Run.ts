import type { Address, Hex, TransactionReceipt } from "viem";
import type { Client } from "../client/internal/Client.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import { toAbortError } from "../internal/toAbortError.ts";
import type { EvmTransactionData, SignatureData, Step } from "../schema/quote/step.ts";
import type { RequestProgress } from "../track/reduceStatus.ts";
import {
  type ExecutionState,
  findItem,
  type ItemEntry,
  type ItemKey,
  isAt,
  setItem,
} from "./ExecutionState.ts";
import type { PaymentClaim } from "./paymentLedger.ts";
import { readApproval } from "./stepCall.ts";
import type { ChainReader, Wallet } from "./Wallet.ts";

/** Phase of an item. */
export type ItemPhase =
  /** Requesting a signature from the wallet. */
  | "signing"
  /** Signed; submitting the signature. */
  | "submitting"
  /** Requesting a transaction or batch from the wallet; with a key of this process, signed and to be broadcast. */
  | "sending"
  /** The transaction is in flight; repeated for a replacement with another hash. */
  | "confirming"
  /** Mined; waiting until the node shows the allowance. */
  | "allowance"
  | "complete"
  /** Certainly not done. An error follows, or, after a rejected batch, each item separately. */
  | "notDone";

/**
 * Receipt of a transaction on the origin chain. For a contract account, it may be a bundler's transaction, whose gas
 * includes other operations.
 */
export type OriginReceipt = Readonly<
  Pick<TransactionReceipt, "blockNumber" | "gasUsed" | "status" | "transactionHash">
>;

/** A progress event of `execute`, with the state to save. */
export type ExecuteProgress =
  | (ItemKey & {
      readonly phase: ItemPhase;
      readonly state: ExecutionState;
      readonly step: Step;
      readonly txHash: Hex | undefined;
      readonly type: "item";
    })
  | { readonly progress: RequestProgress; readonly state: ExecutionState; readonly type: "status" };

/** State that the items of an execution share. */
export type Run = {
  /** The payment in the process's ledger; undefined if nothing was left to sign. */
  claim?: PaymentClaim | undefined;
  readonly client: Client;
  /** Until when the order may be paid, in milliseconds of the client's clock; undefined without an order or a proof. */
  deadline?: number | undefined;
  /** Whether all open items are proven in this run, or need no proof. While false, none reaches the wallet. */
  isProven: boolean;
  /** Items of the quote's steps, followed by those of the appended ones. */
  items: readonly Item[];
  /** Maximum fee of a transaction in wei. */
  readonly maximumFee: bigint;
  readonly maximumGas: bigint;
  /** After the last nonce that the run signed with: a node may count its transaction late. */
  nextNonce: number;
  /** False for the rest of the run when the wallet rejects a batch. */
  mayBatch: boolean;
  readonly onProgress: ((progress: ExecuteProgress) => void | Promise<void>) | undefined;
  readonly originChainId: number;
  /** Of the trust roots; the proof inserts its calls among those of a router. */
  outputGuard?: Address | undefined;
  readonly pollingInterval: number;
  readonly reader: ChainReader;
  readonly signal: AbortSignal | undefined;
  /** Immutable: reported states never change. */
  state: ExecutionState;
  readonly timeout: number;
  readonly wallet: Wallet;
};

/** An item with its step. {@link checkItems} lets no item pass but EVM transactions and signatures, and those complete. */
export type Item = ItemKey & Pick<Step["items"][number], "data" | "status"> & { readonly step: Step };
export type SignatureItem = Item & { readonly data: SignatureData };
export type TransactionItem = Item & { readonly data: EvmTransactionData };

export const listItems = (steps: readonly Step[], appended: readonly Step[] = []): readonly Item[] =>
  [...steps, ...appended].flatMap((step, stepIndex) =>
    step.items.map(({ data, status }, itemIndex) => ({ data, itemIndex, status, step, stepIndex })),
  );

/** False for a signature, and for a transaction of another kind of chain. */
export function isTransaction(item: Item): item is TransactionItem {
  return item.step.kind === "transaction" && (item.data as EvmTransactionData | undefined)?.to !== undefined;
}

/** Items of a run that are complete neither in the quote nor in its state, in order. */
export const listOpenItems = ({ items, state }: Run): readonly Item[] =>
  items.filter((item) => item.status !== "complete" && findItem(state, item)?.status !== "complete");

/** Whether no item is left to sign, and none to submit but signed transactions. */
export function isAllSent(run: Run): boolean {
  return listOpenItems(run).every((item) => {
    const { batchId, status = "sending", txHash } = findItem(run.state, item) ?? {};
    return item.step.kind === "transaction" && status !== "sending" && (txHash ?? batchId) !== undefined;
  });
}

/** The error of an item that is not executed. */
export function refuse(item: Item, reason: string, cause?: unknown): StepRejectedError {
  const { itemIndex, step, stepIndex } = item;
  return new StepRejectedError({ cause, itemIndex, reason, stepId: step.id, stepIndex });
}

/** Refuses an item for a failed read. */
export const refuser =
  (item: Item, reason: string) =>
  (cause: unknown): never => {
    throw refuse(item, reason, cause);
  };

/** Stops only before a wallet request; a pending request is awaited. */
export function assertNotAborted({ signal }: Run): void {
  if (signal?.aborted === true) throw toAbortError(signal, "executing a quote");
}

/** Runs before every request to the wallet: refuses an item not proven in this run, or after the deadline of its order. */
export function assertProven({ client, deadline, isProven }: Run, item: Item): void {
  if (!isProven) throw refuse(item, "it was not proven in this run");
  // Checked again here: earlier items may have taken hours, and solvers fill no order after its deadline.
  const now = client.now();
  if (deadline === undefined || deadline > now) return;
  const path = "protocol.v2.orderData.output.deadline";
  throw new QuoteMismatchError([
    { actual: `${deadline}`, code: "QUOTE_DEADLINE", expected: `after ${now}: quote again`, path },
  ]);
}

/** Checks again after a report, which may last. After an abort or the deadline, reports that the items were not done. */
export async function recheck(run: Run, items: readonly Item[]): Promise<void> {
  try {
    assertNotAborted(run);
    for (const item of items) assertProven(run, item);
  } catch (error) {
    await report(run, items, "notDone", null);
    throw error;
  }
}

/**
 * Replaces the entries of items, if one is given, and reports the phase. Awaits each report, so that the caller can save the
 * state before the next action. Records in the ledger what may take effect.
 */
export async function report(
  run: Run,
  items: Item | readonly Item[],
  phase: ItemPhase,
  change?: ItemEntry | null,
): Promise<void> {
  // All at once, so that the last saved state contains all of a batch.
  for (const item of [items].flat()) if (change !== undefined) run.state = setItem(run.state, item, change);
  for (const { itemIndex, step, stepIndex } of [items].flat()) {
    const key = { itemIndex, stepIndex };
    const { state } = run;
    const entry = findItem(state, key);
    // A wallet that is not asked yet has sent nothing, if the report fails. Signed bytes may have been saved by it.
    if (entry?.status !== "sending") recordPayment(run);
    await run.onProgress?.({ ...key, phase, state, step, txHash: entry?.txHash, type: "item" });
  }
  recordPayment(run);
}

/** Records the run's state in the ledger once a payment is among its items. */
export function recordPayment(run: Run): void {
  if (run.claim !== undefined) run.claim.record = hasPayment(run) ? run.state : undefined;
}

/** Whether tokens or native currency were signed or sent, or may have been. Approvals and ERC-2612 permits pay nothing. */
export function hasPayment({ items, state }: Run): boolean {
  return state.items.some((entry) => {
    const data = items.find((item) => isAt(item, entry))?.data as
      | (Partial<EvmTransactionData> & { sign?: { primaryType?: string } })
      | undefined;
    return readApproval(data) === undefined && data?.sign?.primaryType !== "Permit";
  });
}
