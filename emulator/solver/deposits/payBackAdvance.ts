import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, type Change } from "../../requests/applyTrigger.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import { featureBits } from "../../requests/search/searchFacts.ts";
import type { DepositRow, StoreTransaction } from "../../store/tables.ts";
import { lockDeposit, moveDeposit } from "./depositRows.ts";
import type { Judgement } from "./judgeDeposit.ts";

/** What becomes of a deposit whose request was fast-filled. */
type PayBack =
  /** The deposit covers the advance, and is neither filled nor refunded. What it lacks is a loss of the solver. */
  | { readonly way: "cover"; readonly advance: DepositRow }
  /** Nothing was sent for the advance: the deposit is filled in its place. */
  | { readonly way: "replace"; readonly advance: DepositRow }
  /** The fill of the advance was mined and reverted: the deposit is refunded for it. */
  | { readonly way: "refund" }
  /** The advance leaves the deposit as it is. */
  | { readonly way: "none" };

/** Reasons of deposits that are the user's, in the right place, and too late. */
const late: ReadonlySet<FailReason> = new Set(["ORDER_EXPIRED", "TTL_EXPIRED"]);

type Deposit = {
  /** Smallest units. */
  readonly amount: bigint;
  /** As if nothing had been paid. */
  readonly judgement: Judgement;
  /** Whether another deposit has decided the request. */
  readonly isPaid: boolean;
};

/**
 * Decides how a deposit of a request relates to the request's advance: one deposit covers it, if the order accepts it or if it
 * is late and of at least the advance. The advance stays locked until the transaction ends, so that it is neither signed nor
 * settled meanwhile.
 */
export async function findPayBack(
  transaction: StoreTransaction,
  requestId: string,
  { amount, isPaid, judgement }: Deposit,
): Promise<PayBack> {
  const advance = await lockDeposit(transaction, `advance:${requestId}`);
  if (advance === undefined) return { way: "none" };
  const isAccepted = judgement.outcome === "accepted";
  if (advance.state === "released") {
    const isReverted = isAccepted && !isPaid && (await wasSent(transaction, advance));
    return { way: isReverted ? "refund" : "none" };
  }
  if (!(await isAdvanceOwed(transaction, requestId))) return { way: "none" };
  if (isAccepted && advance.state === "fill-due") return { advance, way: "replace" };
  const covers = isAccepted || (late.has(judgement.reason) && amount >= BigInt(advance.amount));
  return covers ? { advance, way: "cover" } : { way: "none" };
}

async function wasSent(transaction: StoreTransaction, { id }: Pick<DepositRow, "id">): Promise<boolean> {
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
export async function markFastFilled(transaction: StoreTransaction, requestId: string): Promise<void> {
  await transaction.insertInto("request_features").values({ feature, request_id: requestId }).execute();
  await transaction
    .updateTable("requests")
    .set((row) => ({ features: row("features", "+", featureBits[feature]) }))
    .where("id", "=", requestId)
    .execute();
}

/** Ends an advance that pays nothing: its request then counts as not fast-filled. */
export async function endAdvance(
  transaction: StoreTransaction,
  advance: Pick<DepositRow, "id" | "request_id" | "state">,
): Promise<void> {
  const { request_id } = advance;
  await moveDeposit(transaction, advance, "released");
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

type Obligation = Pick<DepositRow, "id" | "request_id" | "source" | "state">;

/**
 * Ends an obligation that cannot be paid, in the caller's transaction. A claim fails, which returns its amount to the
 * balance. A fast fill is released.
 */
export async function releaseObligation(
  transaction: StoreTransaction,
  obligation: Obligation,
  { details, ...change }: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  if (obligation.source === "advance")
    return releaseAdvance(transaction, obligation, { details, ...change }, context);
  await moveDeposit(transaction, obligation, "released");
  // Clients of signatures treat a failure as final only if its details begin like this.
  const failed = { ...change, details: `Transaction failed: ${details ?? "the payout was refused"}` };
  const next = { ...failed, trigger: "claim-failed" } as const;
  await applyTrigger(transaction, obligation.request_id, next, context.now());
}

/** Releases an advance: its request refunds the deposit that covers it, or waits for one again. */
async function releaseAdvance(
  transaction: StoreTransaction,
  advance: Obligation,
  change: Omit<Change, "trigger">,
  context: Context,
): Promise<void> {
  const { request_id } = advance;
  const { details, failReason = "TRANSACTION_REVERTED", txHash } = change;
  await endAdvance(transaction, advance);
  const cover = await transaction
    .selectFrom("deposits")
    .select(["block_number", "id", "state"])
    .where("request_id", "=", request_id)
    .where("state", "=", "netted")
    .executeTakeFirst();
  if (cover !== undefined) await moveDeposit(transaction, cover, "advance-failed", failReason);
  const next: Change = cover
    ? { ...change, failReason, originBlock: cover.block_number, trigger: "fill-failed" }
    : { details, trigger: "fast-fill-released", txHash };
  return applyTrigger(transaction, request_id, next, context.now());
}
