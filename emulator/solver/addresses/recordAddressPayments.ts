import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, readStatus } from "../../requests/applyTrigger.ts";
import type { AddressPaymentRow, RelayedDepositRow, StoreTransaction } from "../../store/tables.ts";
import { insertPayments, movePayment, relocatePayment } from "../paymentRows.ts";
import { deleteSweep } from "../relayedRows.ts";
import type { FoundAddressPayment } from "./watchedAddresses.ts";

const excessSuffix = ":excess";

/** Most payments of one statement. */
const paymentsAtOnce = 500;

/** Id of a payment's part beyond the quoted amount. */
export function excessId(id: string): string {
  return `${id}${excessSuffix}`;
}

/** Id of the whole payment that a payment is, or is a part of. */
function wholeId(id: string): string {
  return id.endsWith(excessSuffix) ? wholeId(id.slice(0, -excessSuffix.length)) : id;
}

/** Whether a payment is the part of another one beyond the quoted amount. */
export function isExcess({ id }: Pick<AddressPaymentRow, "id">): boolean {
  return id.endsWith(excessSuffix);
}

/**
 * Records payments to deposit addresses in the transaction that moves the search. For payments that are recorded already,
 * updates the block, and resumes those that a reorg had removed.
 */
export async function recordAddressPayments(
  transaction: StoreTransaction,
  { definition }: Pick<Chain, "definition">,
  found: readonly FoundAddressPayment[],
  { now }: Pick<Context, "now">,
): Promise<void> {
  const at = now();
  for (let from = 0; from < found.length; from += paymentsAtOnce) {
    const part = found.slice(from, from + paymentsAtOnce);
    const known = await transaction
      .selectFrom("address_payments")
      .selectAll()
      .where("tx_hash", "in", [...new Set(part.map(({ txHash }) => txHash))])
      .execute();
    const byWhole = Map.groupBy(known, ({ id }) => wholeId(id));
    const fresh = part.filter(({ id }) => !byWhole.has(id));
    for (const { blockNumber, id } of part) {
      for (const payment of byWhole.get(id) ?? []) await returned(transaction, payment, blockNumber);
    }
    if (fresh.length === 0) continue;
    const rows = fresh.map(({ address, amount, blockNumber, currency, id, sender, txHash }) => ({
      address,
      amount: amount.toString(),
      at,
      block_number: blockNumber,
      chain_id: definition.id,
      currency,
      id,
      sender,
      tx_hash: txHash,
    }));
    await insertPayments(transaction, rows);
  }
}

/** Resumes a payment that is on its chain again: its sweep goes on, or the payment gets a request anew. */
async function returned(
  transaction: StoreTransaction,
  { id, request_id, state }: AddressPaymentRow,
  block_number: number,
): Promise<void> {
  if (state !== "vanished") return relocatePayment(transaction, { block_number, id });
  const sweep = await sweepOf(transaction, request_id);
  const isSwept = sweep !== undefined && sweep.state !== "reverted" && sweep.state !== "dropped";
  if (isSwept) return movePayment(transaction, { id }, "returned-swept", { block_number });
  return movePayment(transaction, { id }, "returned", { block_number, request_id: null });
}

/**
 * Marks the payments that a reorg removed after a block. A sweep that is not signed yet is dropped: its request waits again if
 * the address was made for it, and fails otherwise. A signed sweep reverts without the money.
 */
export async function removeAddressPayments(
  transaction: StoreTransaction,
  chainId: number,
  fork: bigint,
  found: readonly FoundAddressPayment[],
  { now }: Pick<Context, "now">,
): Promise<void> {
  const present = new Set(found.map(({ id }) => id));
  const before = await transaction
    .selectFrom("address_payments")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("block_number", ">", Number(fork))
    .where("state", "!=", "vanished")
    .execute();
  for (const payment of before) {
    if (!present.has(wholeId(payment.id))) await vanished(transaction, payment, now());
  }
}

async function vanished(
  transaction: StoreTransaction,
  payment: AddressPaymentRow,
  at: number,
): Promise<void> {
  const { request_id, tx_hash } = payment;
  await movePayment(transaction, payment, "reorged");
  const sweep = await sweepOf(transaction, request_id);
  if (request_id === null || sweep?.state !== "due") return;
  await deleteSweep(transaction, request_id);
  if ((await readStatus(transaction, request_id)) !== "depositing") return;
  const made = await transaction
    .selectFrom("deposit_addresses")
    .select("address")
    .where("request_id", "=", request_id)
    .executeTakeFirst();
  if (made !== undefined) {
    // Another payment may pay for it.
    await movePayment(transaction, payment, "unassigned", { request_id: null });
    return applyTrigger(transaction, request_id, { trigger: "payment-reorged" }, at);
  }
  const change = { failReason: "DEPOSIT_REORGED", trigger: "deposit-failed" } as const;
  return applyTrigger(transaction, request_id, { ...change, details: `A reorg removed ${tx_hash}` }, at);
}

async function sweepOf(
  transaction: StoreTransaction,
  requestId: string | null,
): Promise<Pick<RelayedDepositRow, "state"> | undefined> {
  if (requestId === null) return undefined;
  return transaction
    .selectFrom("relayed_deposits")
    .select("state")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
}
