import type { Insertable, Transaction } from "kysely";
import type { Address, Hex } from "viem";
import type { Context } from "../../context/Context.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { Tables } from "../../store/tables.ts";
import { excessesOf, isSignedFor } from "../obligations/excesses.ts";
import { openChildRequest, type Parent } from "./openChildRequest.ts";
import { depositReturned } from "./reorg.ts";

const reason = "DOUBLE_SPEND";
const refused = () => ({ outcome: "refused", reason }) as const;

/** The row of a payment, with its whole amount. */
type PaymentRow = Omit<Insertable<Tables["deposits"]>, "outcome">;

/**
 * Refunds the part of a payment that its order does not owe, in the caller's transaction, by a request of its own. An excess
 * that a reorg had removed resumes, if nothing was signed for it and its amount is the same.
 *
 * @param excess Smallest units.
 */
export async function refundExcess(
  transaction: Transaction<Tables>,
  row: PaymentRow,
  excess: bigint,
  parent: Parent,
  context: Context,
): Promise<void> {
  const earlier = await excessesOf(transaction, row.id);
  const amount = excess.toString();
  for (const each of earlier) {
    const isSame = each.outcome === "vanished" && each.amount === amount;
    if (!isSame || (await isSignedFor(transaction, each.id))) continue;
    return depositReturned(transaction, each, refused, context);
  }
  const { block_number: originBlock, chain_id: chainId, tx_hash: txHash } = row;
  const [currency, tag] = [row.currency as Address, row.tag as Hex];
  const refunded = { amount: excess, chainId, currency, tag };
  const child = await openChildRequest(transaction, refunded, row.depositor as Address, parent, context);
  await transaction
    .insertInto("deposits")
    .values({
      ...row,
      ...refused(),
      amount,
      covers: row.id,
      // The payment's own row has them.
      fee: null,
      id: `${row.id}:excess${earlier.length}`,
      paid: null,
      request_id: child,
      source: "excess",
      todo: "refund",
    })
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: child });
  const change = { failReason: reason, originBlock, trigger: "deposit-refused", txHash } as const;
  await applyTrigger(transaction, child, change, context.now());
}

/**
 * Resumes the refunded parts of a payment that is on its chain again, in the caller's transaction. In another block the payment
 * may be smaller: parts whose refunds are cancelled are reduced to it.
 *
 * @param whole Smallest units of the payment.
 * @returns Their sum: the rest of the payment is recorded anew.
 */
export async function returnRefundedExcess(
  transaction: Transaction<Tables>,
  depositId: string,
  whole: bigint,
  context: Context,
): Promise<bigint> {
  let left = whole;
  for (const each of await excessesOf(transaction, depositId)) {
    if (!(await isSignedFor(transaction, each.id))) continue;
    const amount = BigInt(each.amount) > left ? left : BigInt(each.amount);
    if (amount === 0n) continue;
    left -= amount;
    if (each.outcome !== "vanished") continue;
    await transaction
      .updateTable("deposits")
      .set({ amount: amount.toString() })
      .where("id", "=", each.id)
      .execute();
    await depositReturned(transaction, each, refused, context);
  }
  return whole - left;
}
