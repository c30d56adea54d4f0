import type { Change } from "../../../requests/applyTrigger.ts";
import type { Note } from "../../../requests/forceOutcome.ts";
import type { PayingKind } from "../../../store/tables/paymentTables.ts";
import type { Payment, SolverLedger } from "../../ledgers/SolverLedger.ts";
import type { Work } from "./claimWork.ts";

/** The next move for a deposit; nothing is done yet. */
export type WorkPlan = { readonly work: Work } & (
  | {
      readonly next: "send";
      readonly kind: PayingKind;
      /** Prepared the payment, and makes it. */
      readonly ledger: SolverLedger;
      readonly payment: Payment;
      readonly note: Note | undefined;
    }
  /** Refunds the deposit instead of a fill. */
  | { readonly next: "refund"; readonly change: Omit<Change, "trigger"> }
  /** Abandons the deposit: its refund failed too. */
  | { readonly next: "abandon"; readonly change: Omit<Change, "trigger"> }
  /** Shows the failure before the refund, until this time; unix milliseconds. */
  | { readonly next: "show-failure"; readonly until: number }
  /** Retries in the next round. */
  | { readonly next: "wait" }
);
