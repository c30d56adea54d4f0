import type { TransactionRow } from "../../store/tables.ts";

type Waiting = { readonly row: TransactionRow; readonly cancels: readonly TransactionRow[] };

/**
 * Finds the stored transactions that must not be sent yet: payments of a request with a cancel that is not
 * settled. Drops a wait that would close a cycle between chains; that transaction is sent at once.
 *
 * @param rows All pending transactions, in the order of their nonces.
 */
export function heldBackTransactions(rows: readonly TransactionRow[]): ReadonlySet<TransactionRow> {
  const all: Waiting[] = [];
  for (const row of rows) {
    if (row.kind === "cancel") continue;
    const cancels = rows.filter((each) => each.kind === "cancel" && each.request_id === row.request_id);
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
