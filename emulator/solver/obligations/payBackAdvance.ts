import type { Transaction } from "kysely";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { advanceDebt } from "../../requests/advanceDebt.ts";
import { applyTrigger } from "../../requests/applyTrigger.ts";
import { statusOf } from "../../requests/findRequest.ts";
import { featureBits } from "../../requests/search/searchFacts.ts";
import { nextStatus } from "../../requests/transitions.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { DepositRow, Tables } from "../../store/tables.ts";

/** A deposit's judgement; see `judgeDeposit`. */
type Judged = { readonly outcome: "accepted" } | { readonly outcome: "refused"; readonly reason: FailReason };

/** What becomes of a deposit whose request was fast-filled. */
export type PayBack =
  /** The deposit counts toward the debt, up to the amount that is owed; the excess is refunded. */
  | { readonly way: "count"; readonly advance: DepositRow; readonly owed: bigint }
  /** Nothing was sent for the advance: the deposit is filled in its place. */
  | { readonly way: "replace"; readonly advance: DepositRow }
  /** The fill of the advance was mined and reverted: the deposit is refunded for it. */
  | { readonly way: "refund"; readonly advance: DepositRow }
  /** The advance leaves the deposit as it is. */
  | { readonly way: "none" };

/** Reasons of deposits that are the user's, in the right place, and too small or too late. */
const counted: ReadonlySet<FailReason> = new Set([
  "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
  "ORDER_EXPIRED",
  "TTL_EXPIRED",
]);

/**
 * Decides how a deposit of a request relates to the request's advance. The advance stays locked until the transaction ends, so
 * that it is neither signed nor settled meanwhile.
 *
 * @param judgement The deposit's judgement, as if nothing had been paid.
 * @param decides Whether the deposit may end the request. A stranger's payment that is too small may not.
 */
export async function findPayBack(
  transaction: Transaction<Tables>,
  requestId: string,
  { decides, judgement }: { readonly decides: boolean; readonly judgement: Judged },
): Promise<PayBack> {
  const advance = await lockAdvance(transaction, `advance:${requestId}`);
  if (advance === undefined) return { way: "none" };
  const isUsable = judgement.outcome === "accepted" || counted.has(judgement.reason);
  if (!isUsable) return { way: "none" };
  if (advance.outcome === "released") {
    return decides && (await wasSent(transaction, advance)) ? { advance, way: "refund" } : { way: "none" };
  }
  const owed = (await advanceDebt(transaction, requestId)) ?? 0n;
  const isUntouched = advance.todo !== null && owed === BigInt(advance.amount);
  if (isUntouched && judgement.outcome === "accepted") return { advance, way: "replace" };
  return owed > 0n ? { advance, owed, way: "count" } : { way: "none" };
}

/** Locks an advance until the transaction ends: its debt and its fill then change in no other one. */
export async function lockAdvance(
  transaction: Transaction<Tables>,
  id: string,
): Promise<DepositRow | undefined> {
  return transaction
    .selectFrom("deposits")
    .selectAll()
    .where("id", "=", id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirst();
}

async function wasSent(transaction: Transaction<Tables>, { id }: Pick<DepositRow, "id">): Promise<boolean> {
  const sent = await transaction
    .selectFrom("transactions")
    .select("id")
    .where("deposit_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return sent !== undefined;
}

const feature = "fast_fill";

/** Counts a request as fast-filled, in the caller's transaction; it must not count so already. */
export async function markFastFilled(transaction: Transaction<Tables>, requestId: string): Promise<void> {
  await transaction.insertInto("request_features").values({ feature, request_id: requestId }).execute();
  await transaction
    .updateTable("requests")
    .set((row) => ({ features: row("features", "+", featureBits[feature]) }))
    .where("id", "=", requestId)
    .execute();
}

/** Ends an advance that pays nothing: its request then counts as not fast-filled. */
export async function endAdvance(
  transaction: Transaction<Tables>,
  { id, request_id }: Pick<DepositRow, "id" | "request_id">,
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ claimed_until: null, not_before: null, outcome: "released", todo: null })
    .where("id", "=", id)
    .execute();
  if (request_id === null) return;
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

/**
 * Puts an advance in force again, because its fill was mined after all, or may be. A request that waits for a deposit is under
 * way again.
 */
export async function resumeAdvance(
  transaction: Transaction<Tables>,
  { id, request_id }: { readonly id: string; readonly request_id: string },
  txHash: string,
  at: number,
): Promise<void> {
  await transaction
    .updateTable("deposits")
    .set({ claimed_until: null, not_before: null, outcome: "accepted", reason: null, todo: null })
    .where("id", "=", id)
    .execute();
  const marked = await transaction
    .selectFrom("request_features")
    .select("request_id")
    .where("request_id", "=", request_id)
    .where("feature", "=", feature)
    .executeTakeFirst();
  if (marked === undefined) await markFastFilled(transaction, request_id);
  if (nextStatus(await statusOf(transaction, request_id), "fast-fill-begun") === undefined) return;
  await applyTrigger(transaction, request_id, { trigger: "fast-fill-begun", txHash }, at);
}

/** Whether a deposit was refunded, or is due to be, because the fill of this advance failed. */
export async function isPartRefunded(transaction: Transaction<Tables>, advanceId: string): Promise<boolean> {
  const part = await transaction
    .selectFrom("deposits")
    .select("id")
    .where("covers", "=", advanceId)
    .where("outcome", "in", ["refused", "abandoned"])
    .limit(1)
    .executeTakeFirst();
  return part !== undefined;
}
