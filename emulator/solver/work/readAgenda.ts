import type { Store } from "../../store/openStore.ts";

/** The kinds of work that any chain has. */
export type Agenda = {
  /** Deposits to fill or refund. */
  readonly deposits: boolean;
  /** Users' signed deposits to send or settle. */
  readonly permits: boolean;
  /** Transactions of the solver to send or settle. */
  readonly transactions: boolean;
};

/** Reads the kinds of work that any chain has, in one query: most rounds only search a block. */
export async function readAgenda(store: Store): Promise<Agenda> {
  const { deposits, permits, transactions } = await store
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom("deposits").select("id").where("todo", "is not", null)).as("deposits"),
      exists(selectFrom("permits").select("hash").where("state", "in", ["due", "signed"])).as("permits"),
      exists(selectFrom("transactions").select("id").where("state", "=", "signed")).as("transactions"),
    ])
    .executeTakeFirstOrThrow();
  // SQLite answers 0 or 1.
  return {
    deposits: Boolean(deposits),
    permits: Boolean(permits),
    transactions: Boolean(transactions),
  };
}
