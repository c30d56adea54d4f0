import type { Address, Hex } from "viem";
import type { Client } from "../client/internal/Client.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import { toAbortError } from "../internal/toAbortError.ts";
import type { EvmTransactionData, Step } from "../schema/quote/step.ts";
import type { RequestProgress } from "../track/reduceStatus.ts";
import { type ExecutionState, findItem, type ItemEntry, type ItemKey, setItem } from "./ExecutionState.ts";
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
export type OriginReceipt = {
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly status: "reverted" | "success";
  readonly transactionHash: Hex;
};

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
  /** Disabled for the rest of the run when the wallet rejects a batch. */
  batch: "auto" | "never";
  /** The payment in the process's ledger; undefined if nothing was left to sign. */
  claim: PaymentClaim | undefined;
  readonly client: Client;
  /** Deadline of the order, in milliseconds of the client's clock; undefined without an order or a proof. */
  readonly deadline: number | undefined;
  /**
   * Whether all remaining items are proven or need no proof. While false, no item reaches the wallet. A saved state
   * alone cannot mark items as proven.
   */
  isProven: boolean;
  /** Maximum fee of a transaction in wei. */
  readonly maximumFee: bigint;
  readonly maximumGas: bigint;
  readonly onProgress: ((progress: ExecuteProgress) => void | Promise<void>) | undefined;
  readonly originChainId: number;
  /** Of the trust roots; the proof inserts its calls among those of a router. */
  outputGuard: Address | undefined;
  readonly pollingInterval: number;
  readonly reader: ChainReader;
  readonly signal: AbortSignal | undefined;
  /** Immutable: reported states never change. */
  state: ExecutionState;
  /** The quote's steps, followed by the appended ones. Grows during the run. */
  readonly steps: Step[];
  readonly timeout: number;
  readonly wallet: Wallet;
};

/** An item with its step. */
export type Item = ItemKey & { readonly step: Step };

/** An item with a transaction of an EVM chain. */
export type TransactionItem = Item & { readonly data: EvmTransactionData };

/** Returns `undefined` for a signature, and for a transaction of another kind of chain. */
export function toTransactionItem(item: Item): TransactionItem | undefined {
  const { itemIndex, step } = item;
  const data = step.kind === "transaction" ? step.items[itemIndex]?.data : undefined;
  return data?.to === undefined ? undefined : { ...item, data };
}

/** The error of an item that is not executed. */
export function refuse(
  { itemIndex, step, stepIndex }: Item,
  reason: string,
  cause?: unknown,
): StepRejectedError {
  return new StepRejectedError({ cause, itemIndex, reason, stepId: step.id, stepIndex });
}

/**
 * Stops only before a wallet request; a pending request is awaited.
 *
 * @throws AbortedError
 */
export function assertNotAborted({ signal }: Run): void {
  if (signal?.aborted === true) throw toAbortError(signal, "executing a quote");
}

/**
 * Checks that run before every request to the wallet.
 *
 * @throws StepRejectedError for a step that this run has not proven; QuoteMismatchError after the deadline of its
 * order.
 */
export function assertProven({ client, deadline, isProven }: Run, item: Item): void {
  if (!isProven) throw refuse(item, "it was not proven in this run");
  // Checked again here: earlier items may have taken hours, and solvers fill no order after its deadline.
  const now = client.now();
  if (deadline === undefined || deadline > now) return;
  const path = "protocol.v2.orderData.output.deadline";
  throw new QuoteMismatchError([
    { actual: `${deadline}`, code: "QUOTE_DEADLINE", expected: `after ${now}`, path },
  ]);
}

/**
 * Replaces an item's entry, if one is given, and reports the phase. Awaits the report, so that the caller can save the
 * state before the next action. Records in the ledger what may take effect.
 *
 * @throws Errors of `onProgress`.
 */
export async function report(
  run: Run,
  { itemIndex, step, stepIndex }: Item,
  phase: ItemPhase,
  change?: ItemEntry | null,
): Promise<void> {
  const key = { itemIndex, stepIndex };
  if (change !== undefined) run.state = setItem(run.state, key, change);
  const { state } = run;
  const entry = findItem(state, key);
  // A wallet that is not asked yet has sent nothing, if the report fails. Signed bytes may have been saved by it.
  if (entry?.status !== "sending") recordPayment(run);
  await run.onProgress?.({ ...key, phase, state, step, txHash: entry?.txHash, type: "item" });
  recordPayment(run);
}

/** Records the run's state in the ledger once a payment is among its items. */
export function recordPayment(run: Run): void {
  if (run.claim !== undefined) run.claim.record = hasPayment(run) ? run.state : undefined;
}

/** Whether a payment was signed or sent, or may have been. */
export function hasPayment({ state, steps }: Run): boolean {
  return state.items.some((item) => isPayment(steps, item));
}

/** Whether an item moves tokens or native currency. Approvals and ERC-2612 permits do not. */
function isPayment(steps: readonly Step[], { itemIndex, stepIndex }: ItemKey): boolean {
  const data = steps[stepIndex]?.items[itemIndex]?.data as
    | { data?: Hex; sign?: { primaryType?: string } }
    | undefined;
  return readApproval(data?.data) === undefined && data?.sign?.primaryType !== "Permit";
}
