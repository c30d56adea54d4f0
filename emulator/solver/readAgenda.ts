import type { Store } from "../store/openStore.ts";
import { isDue } from "./deposits/depositRows.ts";

/** The kinds of work that any chain has. */
export type Agenda = {
  /** Payments to deposit addresses that have no request yet. */
  readonly payments: boolean;
  /** Deposits to fill or refund. */
  readonly deposits: boolean;
  /** Deposits to send or settle for their users. */
  readonly relayed: boolean;
  /** Transactions of the solver to send or settle. */
  readonly transactions: boolean;
};

/** Reads the kinds of work that any chain has, in one query: most rounds only search a block. */
export async function readAgenda(store: Store): Promise<Agenda> {
  const { deposits, payments, relayed, transactions } = await store
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom("deposits").select("id").where(isDue)).as("deposits"),
      exists(selectFrom("address_payments").select("id").where("state", "=", "found")).as("payments"),
      exists(selectFrom("relayed_deposits").select("hash").where("state", "in", ["due", "signed"])).as(
        "relayed",
      ),
      exists(selectFrom("transactions").select("id").where("state", "=", "signed")).as("transactions"),
    ])
    .executeTakeFirstOrThrow();
  // SQLite answers 0 or 1.
  return {
    deposits: Boolean(deposits),
    payments: Boolean(payments),
    relayed: Boolean(relayed),
    transactions: Boolean(transactions),
  };
}
