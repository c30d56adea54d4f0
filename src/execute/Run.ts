import type { Hex } from "viem";
import type { Client } from "../client/internal/Client.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import type { Step } from "../schema/quote/step.ts";
import type { RequestProgress } from "../track/reduceStatus.ts";
import type { ExecutionState, ItemKey } from "./ExecutionState.ts";
import type { ChainReader, Wallet } from "./Wallet.ts";

/**
 * What is happening to an item.
 *
 * - `signing`: the wallet is asked for a signature.
 * - `submitting`: the signature is handed in.
 * - `sending`: the wallet is asked to send a transaction, or a batch.
 * - `confirming`: the transaction is on its way; again when it is found under another hash.
 * - `allowance`: it is mined, and the approval is not visible everywhere yet.
 * - `complete`: done.
 * - `notDone`: certainly not done; an error follows, or, after a batch, each item by itself.
 */
export type ItemPhase =
  | "signing"
  | "submitting"
  | "sending"
  | "confirming"
  | "allowance"
  | "complete"
  | "notDone";

/** What `execute` reports. Every event carries the state to save. */
export type ExecuteProgress =
  | (ItemKey & {
      readonly phase: ItemPhase;
      readonly state: ExecutionState;
      readonly step: Step;
      readonly txHash: Hex | undefined;
      readonly type: "item";
    })
  | { readonly progress: RequestProgress; readonly state: ExecutionState; readonly type: "status" };

/** Everything that the items of one execution share. */
export type Run = {
  /** Turned off for the rest of the run when the wallet refuses a batch. */
  batch: "auto" | "never";
  readonly client: Client;
  /**
   * Whether everything that is left to sign or send was proven, or needs no proof. Nothing reaches the wallet while it is false:
   * a saved state that calls steps sent would otherwise keep them from being proven.
   */
  isProven: boolean;
  /** Whether a saved state was given. */
  readonly isResumed: boolean;
  /** The most gas that one transaction may need; undefined where nothing is proven. */
  readonly maximumGas: bigint | undefined;
  readonly onProgress: ((progress: ExecuteProgress) => void | Promise<void>) | undefined;
  /** The proven order, its deadline in the client's milliseconds; undefined where there is none, or nothing is proven. */
  order: { readonly deadline: number; readonly id: string } | undefined;
  readonly originChainId: number;
  readonly pollingInterval: number;
  readonly reader: ChainReader;
  readonly signal: AbortSignal | undefined;
  /** Replaced, never changed: a state that was reported stays as it was. */
  state: ExecutionState;
  readonly timeout: number;
  readonly wallet: Wallet;
};

/**
 * The gate in front of the wallet.
 *
 * @throws StepRejectedError when the step was not proven in this run; QuoteMismatchError after the deadline of its order.
 *
 * @example
 * assertProven(run, { itemIndex: 0, stepId: "deposit", stepIndex: 1 });
 */
export function assertProven({ client, isProven, order }: Run, item: ItemKey & { stepId: string }): void {
  if (!isProven) throw new StepRejectedError({ ...item, reason: "it was not proven in this run" });
  // Proven once, and items before this one may have taken hours: a solver fills no order after its deadline.
  const now = client.now();
  if (order === undefined || order.deadline > now) return;
  const path = "protocol.v2.orderData.output.deadline";
  throw new QuoteMismatchError([
    { actual: `${order.deadline}`, code: "QUOTE_DEADLINE", expected: `after ${now}`, path },
  ]);
}
