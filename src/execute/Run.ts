import type { Hex } from "viem";
import type { Client } from "../client/internal/Client.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import type { Step } from "../schema/quote/step.ts";
import type { RequestProgress } from "../track/reduceStatus.ts";
import type { ExecutionState, ItemKey } from "./ExecutionState.ts";
import type { ChainReader, Wallet } from "./Wallet.ts";

/**
 * Phase of an item.
 *
 * - `signing`: requesting a signature from the wallet.
 * - `submitting`: submitting the signature.
 * - `sending`: requesting a transaction or batch from the wallet.
 * - `confirming`: the transaction is in flight; repeated for a replacement with another hash.
 * - `allowance`: mined; waiting until the node shows the allowance.
 * - `complete`: done.
 * - `notDone`: certainly not done. An error follows, or, after a rejected batch, each item separately.
 */
export type ItemPhase =
  | "signing"
  | "submitting"
  | "sending"
  | "confirming"
  | "allowance"
  | "complete"
  | "notDone";

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
  readonly client: Client;
  /**
   * Whether all remaining items are proven or need no proof. While false, no item reaches the wallet. A saved state
   * alone cannot mark items as proven.
   */
  isProven: boolean;
  /** Whether the caller passed a saved state. */
  readonly isResumed: boolean;
  /** Maximum gas of a transaction; undefined without a proof. */
  readonly maximumGas: bigint | undefined;
  readonly onProgress: ((progress: ExecuteProgress) => void | Promise<void>) | undefined;
  /** The proven order, with its deadline in milliseconds of the client's clock; undefined without an order or a proof. */
  order: { readonly deadline: number; readonly id: string } | undefined;
  readonly originChainId: number;
  readonly pollingInterval: number;
  readonly reader: ChainReader;
  readonly signal: AbortSignal | undefined;
  /** Immutable: reported states never change. */
  state: ExecutionState;
  readonly timeout: number;
  readonly wallet: Wallet;
};

/**
 * Checks that run before every request to the wallet.
 *
 * @throws StepRejectedError for a step that this run has not proven; QuoteMismatchError after the deadline of its
 * order.
 *
 * @example
 * assertProven(run, { itemIndex: 0, stepId: "deposit", stepIndex: 1 });
 */
export function assertProven({ client, isProven, order }: Run, item: ItemKey & { stepId: string }): void {
  if (!isProven) throw new StepRejectedError({ ...item, reason: "it was not proven in this run" });
  // Checked again here: earlier items may have taken hours, and solvers fill no order after its deadline.
  const now = client.now();
  if (order === undefined || order.deadline > now) return;
  const path = "protocol.v2.orderData.output.deadline";
  throw new QuoteMismatchError([
    { actual: `${order.deadline}`, code: "QUOTE_DEADLINE", expected: `after ${now}`, path },
  ]);
}
