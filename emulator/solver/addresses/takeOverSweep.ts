import type { AddressPaymentRow, RelayedDepositRow, Store, StoreTransaction } from "../../store/tables.ts";

import { insertPayments, movePayment, movePayments } from "../deposits/paymentRows.ts";
import { dueAtOnce } from "../postponed.ts";
import { excessId } from "./recordAddressPayments.ts";

/** A sweep whose payment a reorg removed. */
export type StaleSweep = Pick<AddressPaymentRow, "amount" | "id"> & {
  readonly requestId: string;
  readonly state: RelayedDepositRow["state"];
};

/**
 * Finds the oldest signed or mined sweep of a payment's address and currency whose own payment a reorg removed: it takes the
 * money of this payment, or has taken it. The same transaction may pay another amount in another block.
 */
export async function findStaleSweep(
  { address, chain_id, currency }: Pick<AddressPaymentRow, "address" | "chain_id" | "currency">,
  store: Store,
): Promise<StaleSweep | undefined> {
  return store
    .selectFrom("address_payments as payments")
    .innerJoin("relayed_deposits as sweeps", "sweeps.request_id", "payments.request_id")
    .select(["payments.amount", "payments.id", "sweeps.request_id as requestId", "sweeps.state"])
    .where("payments.address", "=", address)
    .where("payments.chain_id", "=", chain_id)
    .where("payments.currency", "=", currency)
    .where("payments.state", "=", "vanished")
    .where("sweeps.state", "in", ["signed", "mined"])
    .orderBy("sweeps.at")
    .orderBy("payments.id")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Gives a payment the request of a mined sweep that took its money, in the caller's transaction. The rest of it is judged as a
 * payment of its own. The removed payment is judged anew if it returns.
 */
export async function takeOverSweep(
  transaction: StoreTransaction,
  payment: AddressPaymentRow,
  stale: StaleSweep,
): Promise<void> {
  const { amount, id, requestId: request_id } = stale;
  const taken = await movePayments(transaction, (where) => where.and({ id, request_id }), "unassigned", {
    request_id: null,
  });
  // The removed payment has returned meanwhile, or another one has taken the sweep over.
  if (taken === 0) return;
  await movePayment(transaction, payment, "assigned", { amount, request_id });
  const rest = BigInt(payment.amount) - BigInt(stale.amount);
  if (rest > 0n) await insertExcess(transaction, payment, rest);
}

/** Records the part of a payment that its request does not need as a payment of its own. */
export async function insertExcess(
  transaction: StoreTransaction,
  payment: AddressPaymentRow,
  excess: bigint,
): Promise<void> {
  const part = { ...dueAtOnce, amount: excess.toString(), id: excessId(payment.id) };
  await insertPayments(transaction, [{ ...payment, ...part }]);
}
