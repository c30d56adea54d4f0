import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Intent } from "../../requests/Intent.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import type { Revert } from "../../router/revertReason.ts";
import type { BlockTransaction, Log } from "../receipts/readBlocks.ts";

/** A deposit that the service sends for a user: the request's terms, and the stored JSON that the user submitted. */
export type RelayedDeposit = { readonly intent: Intent; readonly payload: string };

export type RelayFailure = Pick<Change, "failReason" | "details" | "failedCall">;

/** A deposit that succeeds on the chain's present state, or the reason why it fails. */
export type PreparedRelay = { readonly call: SolverCall; readonly gas: bigint } | RelayFailure;

type RelayContext = Pick<Context, "accounts" | "now">;

/** A kind of relayed deposits. The kinds share the table, the signing, the sending and the settlement. */
export type RelayedKind = {
  /** Simulates the deposit. Rejects only for causes that pass, such as an unreachable node. */
  readonly prepare: (deposit: RelayedDeposit, chain: Chain, context: RelayContext) => Promise<PreparedRelay>;
  /** Explains a mined deposit that reverted, by the chain's present state. */
  readonly explainRevert: (
    deposit: RelayedDeposit,
    chain: Chain,
    revert: Revert,
    context: RelayContext,
  ) => Promise<RelayFailure>;
  /** Confirms that a mined deposit paid for its request, where the transaction's success does not prove it. */
  readonly confirm?: (
    deposit: RelayedDeposit,
    chain: Chain,
    mined: MinedRelay,
    context: Pick<Context, "accounts" | "log">,
  ) => Promise<RelayFailure | undefined>;
};

/** A mined transaction that succeeded. */
export type MinedRelay = { readonly transaction: BlockTransaction; readonly logs: readonly Log[] };

/** Builds a failure. Clients of signatures treat it as final only if its details begin like this. */
export function failureOf(failReason: FailReason, details: string): RelayFailure {
  return { details: `Transaction failed: ${details}`, failReason };
}
