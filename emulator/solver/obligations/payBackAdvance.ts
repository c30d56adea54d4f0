import type { Transaction } from "kysely";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { featureBits } from "../../requests/search/searchFacts.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";

/** A deposit's judgement; see `judgeDeposit`. */
type Judged = { readonly outcome: "accepted" } | { readonly outcome: "refused"; readonly reason: FailReason };

/** What becomes of a deposit whose request was fast-filled. */
export type PayBack =
  /** The deposit takes over the fill that was made for the advance. */
  | { readonly way: "cover"; readonly advance: DepositRow }
  /** The deposit pays back a part. It is not refunded: the payer has received the output. */
  | { readonly way: "net"; readonly advance: DepositRow }
  /** Nothing was sent for the advance: the deposit is filled or refunded in its place. */
  | { readonly way: "replace"; readonly advance: DepositRow }
  /** The fill of the advance was mined and reverted: the deposit is refunded for it. */
  | { readonly way: "refund"; readonly advance: DepositRow }
  /** The advance leaves the deposit as it is. */
  | { readonly way: "none" };

/** Reasons of deposits that are the user's, in the right place, and too small or too late. */
const netted: ReadonlySet<FailReason> = new Set([
  "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
  "ORDER_EXPIRED",
  "TTL_EXPIRED",
]);

/**
 * Decides how a deposit of a request relates to the request's advance. The advance and its transactions stay locked until the
 * transaction ends, so that neither is signed or settled meanwhile.
 *
 * @param judgement The deposit's judgement, as if nothing had been paid.
 */
export async function findPayBack(
  transaction: Transaction<Tables>,
  requestId: string,
  { amount, judgement }: { readonly amount: bigint; readonly judgement: Judged },
): Promise<PayBack> {
  const id = `advance:${requestId}`;
  const stored = await transaction
    .selectFrom("deposits")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (stored === undefined) return { way: "none" };
  const lock = isPostgres(transaction);
  // In the order in which a settlement locks them.
  await transaction
    .selectFrom("transactions")
    .select("id")
    .where("deposit_id", "=", id)
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const advance = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (advance === undefined || advance.outcome === "covered") return { way: "none" };
  const isUsable = judgement.outcome === "accepted" || netted.has(judgement.reason);
  if (!isUsable) return { way: "none" };
  if (advance.outcome === "released") return afterRelease(transaction, advance);
  if (advance.todo !== null) return { advance, way: "replace" };
  if (amount >= BigInt(advance.amount)) return { advance, way: "cover" };
  const earlier = await nettedDeposit(transaction, id);
  // A second part is refunded as any second payment.
  return earlier === undefined ? { advance, way: "net" } : { way: "none" };
}

async function afterRelease(transaction: Transaction<Tables>, advance: DepositRow): Promise<PayBack> {
  const sent = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("deposit_id", "=", advance.id)
    .limit(1)
    .executeTakeFirst();
  return sent === undefined ? { way: "none" } : { advance, way: "refund" };
}

/** The deposit that has paid back a part of an advance. */
export async function nettedDeposit(
  transaction: Transaction<Tables>,
  advanceId: string,
): Promise<DepositRow | undefined> {
  return transaction
    .selectFrom("deposits")
    .selectAll()
    .where("covers", "=", advanceId)
    .where("outcome", "=", "netted")
    .executeTakeFirst();
}

/**
 * Hands the transactions of an advance to a stored deposit, which from here on stands for them: a reorg, a revert or a cancel is
 * handled as for any deposit.
 */
export async function handOver(
  transaction: Transaction<Tables>,
  advanceId: string,
  depositId: string,
): Promise<void> {
  await transaction
    .updateTable("transactions")
    .set({ deposit_id: depositId })
    .where("deposit_id", "=", advanceId)
    .execute();
}

/** Ends an advance that a deposit covers, or that has paid nothing: its request then counts as not fast-filled. */
export async function endAdvance(
  transaction: Transaction<Tables>,
  { id, request_id }: Pick<DepositRow, "id" | "request_id">,
  outcome: "covered" | "released",
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ claimed_until: null, not_before: null, outcome, todo: null })
    .where("id", "=", id)
    .execute();
  if (outcome === "covered" || request_id === null) return;
  const feature = "fast_fill";
  const { numDeletedRows } = await transaction
    .deleteFrom("request_features")
    .where("request_id", "=", request_id)
    .where("feature", "=", feature)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await transaction
    .updateTable("requests")
    .set((row) => ({ features: row("features", "-", featureBits[feature]) }))
    .where("id", "=", request_id)
    .execute();
}

/** The amount that a deposit's fill was computed from: the advance's, if the deposit covers one. */
export async function withFilledAmount<Row extends Pick<DepositRow, "amount" | "covers">>(
  transaction: Transaction<Tables>,
  deposit: Row,
): Promise<Row> {
  if (deposit.covers === null) return deposit;
  const { amount } = await transaction
    .selectFrom("deposits")
    .select("amount")
    .where("id", "=", deposit.covers)
    .executeTakeFirstOrThrow();
  return { ...deposit, amount };
}
