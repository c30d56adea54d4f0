import type { Context } from "../../context/Context.ts";
import type { Change, Note } from "../../requests/applyTrigger.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { PayingKind } from "../../store/tables/paymentTables.ts";
import type { DepositRow, RequestRow } from "../../store/tables.ts";
import type { Payment, SolverLedger } from "../SolverLedger.ts";
import { claimDeposits, isDue } from "./depositRows.ts";

/** A deposit to fill or refund, with its request. */
export type Work = { readonly deposit: DepositRow; readonly request: RequestRow };

/** Ids of the chains whose fills and refunds are claimed; a list may be empty. */
type WorkPlaces = { readonly fills: readonly number[]; readonly refunds: readonly number[] };

/** Most deposits claimed at once. */
export const batchSize = 64;

/**
 * Claims the deposits with work on some chains, oldest first. Processes that share a database each claim different
 * ones; SQLite has one process, which needs no claims.
 *
 * @param on Fills belong to the destination chain, refunds to the deposit's chain.
 */
export async function claimWork(
  { now, store }: Pick<Context, "now" | "store">,
  on: WorkPlaces,
  except: ReadonlySet<string>,
): Promise<readonly Work[]> {
  let due = store
    .selectFrom("deposits")
    .where(isDue)
    .where((where) =>
      where.or([
        ...on.refunds.map((id) => where.and([where("state", "=", "refund-due"), where("chain_id", "=", id)])),
        where.and([
          where("state", "=", "fill-due"),
          // Correlated, so that the few due deposits are looked up by id.
          where.exists(
            where
              .selectFrom("requests")
              .select("requests.id")
              .whereRef("requests.id", "=", "deposits.request_id")
              .where("destination_chain_id", "in", on.fills),
          ),
        ]),
      ]),
    )
    // Until a cancel is settled, its payment may be mined.
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("transactions")
            .select("transactions.id")
            .whereRef("deposit_id", "=", "deposits.id")
            .where("kind", "=", "cancel")
            .where("state", "=", "signed"),
        ),
      ),
    )
    .where((where) => where.or([where("not_before", "is", null), where("not_before", "<=", now())]))
    .orderBy("at")
    .orderBy("id")
    .limit(batchSize);
  if (except.size > 0) due = due.where("id", "not in", [...except]);
  const deposits = isPostgres(store) ? await claimDeposits(store, due) : await due.selectAll().execute();
  if (deposits.length === 0) return [];
  const requestIds = deposits.map(({ request_id }) => request_id);
  const requests = await store.selectFrom("requests").selectAll().where("id", "in", requestIds).execute();
  const byId = new Map(requests.map((request) => [request.id, request]));
  return deposits
    .flatMap((deposit) => {
      const request = byId.get(deposit.request_id);
      return request === undefined ? [] : [{ deposit, request }];
    })
    .sort((a, b) => a.deposit.at - b.deposit.at || (a.deposit.id < b.deposit.id ? -1 : 1));
}

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
