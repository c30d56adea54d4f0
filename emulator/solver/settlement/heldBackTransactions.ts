import type { TransactionRow } from "../../store/tables.ts";

/** A pending transaction, with the advance that its deposit was paid toward. */
export type Pending = TransactionRow & { readonly covers?: string | null };

type Waiting = { readonly row: Pending; readonly cancels: readonly Pending[] };

/**
 * Finds the stored transactions that must not be sent yet: payments for a deposit with a cancel that is not
 * settled. Drops a wait that would close a cycle between chains; that transaction is sent at once.
 *
 * @param rows All pending transactions, in the order of their nonces.
 */
export function heldBackTransactions(rows: readonly Pending[]): ReadonlySet<Pending> {
  const all: Waiting[] = [];
  for (const row of rows) {
    if (row.kind === "cancel") continue;
    const cancels = rows.filter((each) => each.kind === "cancel" && moneyOf(each) === moneyOf(row));
    if (cancels.length === 0) continue;
    const next = { cancels, row };
    const isFree = [...all, next].every(
      (other) => !holdsUp(other.row, next.cancels) && !holdsUp(next.row, other.cancels),
    );
    if (isFree) all.push(next);
  }
  return new Set(all.map(({ row }) => row));
}

/** Whether another transaction of the same chain has a later nonce. */
function holdsUp({ chain_id, nonce }: TransactionRow, others: readonly TransactionRow[]): boolean {
  return others.some((other) => other.chain_id === chain_id && nonce < other.nonce);
}

/** The deposit or the advance that a transaction pays for: a refund of an advance's part waits for the advance's fill. */
function moneyOf({ covers, deposit_id }: Pending): string {
  return covers ?? deposit_id;
}
