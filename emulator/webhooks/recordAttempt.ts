import type { Store } from "../store/openStore.ts";
import type { PostOutcome } from "./postWebhook.ts";

/** How often a failed delivery is attempted again (specification, "Limits"). */
export const mostRetries = 10;
/** Until the first retry; each one after it waits twice as long as the one before. */
const firstBackoffMs = 1_000;

/** Whether the receiver took it. */
export function isDelivered({ statusCode }: PostOutcome): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/** How long to wait after so many failed attempts, in milliseconds. */
export function backoffMs(failedAttempts: number): number {
  return firstBackoffMs * 2 ** (failedAttempts - 1);
}

/** Writes an attempt down, with what follows from it: delivered, one more retry, or given up. */
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
    // Somebody has emptied the database meanwhile.
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
    // Cancelled, or taken over by another process because this one was too slow: it is not for this attempt to say.
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
