import type { Store } from "../store/openStore.ts";
import type { PostOutcome } from "./postWebhook.ts";

/** Maximum retries of a failed delivery (specification, "Limits"). */
const mostRetries = 10;
/** Delay before the first retry; it doubles with each further one. */
const firstBackoffMs = 1_000;

/** Whether the receiver accepted the POST with a 2xx status. */
export function isDelivered({ statusCode }: PostOutcome): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/** Delay after so many failed attempts, in milliseconds. */
function backoffMs(failedAttempts: number): number {
  return firstBackoffMs * 2 ** (failedAttempts - 1);
}

/** Records an attempt and moves its delivery on: delivered, scheduled for a retry, or failed. */
export async function recordAttempt(
  store: Store,
  {
    at,
    claimedBy,
    deliveryId,
    now,
    outcome,
  }: {
    readonly at: number;
    readonly claimedBy: string;
    readonly deliveryId: number;
    readonly now: number;
    readonly outcome: PostOutcome;
  },
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const delivery = await transaction
      .selectFrom("webhook_deliveries")
      .select(["attempts", "claimed_by", "state"])
      .where("id", "=", deliveryId)
      .executeTakeFirst();
    // The database was emptied or restored during the attempt.
    if (delivery === undefined) return;
    await transaction
      .insertInto("webhook_attempts")
      .values({
        answer: outcome.answer,
        at,
        delivery_id: deliveryId,
        duration_ms: outcome.durationMs,
        error: outcome.error,
        status_code: outcome.statusCode,
      })
      .execute();
    // Cancelled, or claimed by another process after the lease expired: this attempt no longer decides.
    if (delivery.state !== "pending" || delivery.claimed_by !== claimedBy) return;
    const attempts = delivery.attempts + 1;
    const isOver = isDelivered(outcome) || attempts > mostRetries;
    await transaction
      .updateTable("webhook_deliveries")
      .set({
        attempts,
        claimed_by: null,
        claimed_until: null,
        ...(isOver
          ? { finished_at: now, state: isDelivered(outcome) ? "delivered" : "failed" }
          : { next_at: now + backoffMs(attempts) }),
      })
      .where("id", "=", deliveryId)
      .execute();
  });
}
