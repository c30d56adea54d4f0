import type { Address } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Change } from "../../requests/applyTrigger.ts";
import type { Note } from "../../requests/forceOutcome.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import type { PayingKind } from "../../store/transactionKinds.ts";
import type { Work } from "./claimWork.ts";

/** What is to be done about a deposit next; nothing has been done yet. */
export type WorkPlan = { readonly work: Work } & (
  | {
      readonly next: "send";
      readonly kind: PayingKind;
      readonly chain: Chain;
      readonly call: SolverCall;
      readonly gas: bigint;
      /** What leaves the solver, beside gas. */
      readonly spends: { readonly currency: Address; readonly amount: bigint };
      readonly note: Note | undefined;
    }
  /** The deposit is not filled: it goes back. */
  | { readonly next: "refund"; readonly change: Omit<Change, "trigger"> }
  /** It cannot go back either. */
  | { readonly next: "abandon"; readonly change: Omit<Change, "trigger"> }
  /** The failure is shown first. Unix milliseconds. */
  | { readonly next: "show-failure"; readonly until: number }
  /** Not in this round. */
  | { readonly next: "wait" }
);
