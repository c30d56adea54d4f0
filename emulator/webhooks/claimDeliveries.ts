import type { Store, WebhookDeliveryRow } from "../store/tables.ts";
import type { PostOutcome } from "./postWebhook.ts";

/** A process that posts deliveries, and the lease on those it claims. */
export type Claimant = {
  readonly id: string;
  /** Lease of a claimed delivery in milliseconds; longer than any attempt. */
  readonly leaseMs: number;
  /** Unix milliseconds of the system clock: the emulator's clock can be set and cannot expire leases. */
  readonly wallNow: () => number;
};

/**
 * Claims due deliveries of an endpoint for one process: the first unfinished delivery of each request. A status therefore
 * waits for earlier statuses of its own request only.
 */
export async function claimDeliveries(
  store: Store,
  { apiKeyId, claimant, limit, now }: { apiKeyId: string; claimant: Claimant; limit: number; now: number },
): Promise<readonly WebhookDeliveryRow[]> {
  const due = (database: Store) =>
    heads(database, apiKeyId, claimant.wallNow())
      .selectAll("delivery")
      .where("delivery.next_at", "<=", now)
      .orderBy("delivery.next_at")
      .orderBy("delivery.id")
      .limit(limit)
      .execute();
  // Read first without a transaction: usually nothing is due, and the transaction takes the write lock.
  if ((await due(store)).length === 0) return [];
  return store.transaction().execute(async (transaction) => {
    const claimed = await due(transaction);
    if (claimed.length === 0) return [];
    await transaction
      .updateTable("webhook_deliveries")
      .set({ claimed_by: claimant.id, claimed_until: claimant.wallNow() + claimant.leaseMs })
      .where(
        "id",
        "in",
        claimed.map(({ id }) => id),
      )
      .execute();
    return claimed;
  });
}

/** Time of the next due delivery of an endpoint; `undefined` if no unclaimed delivery is pending. */
export async function nextDue(
  store: Store,
  apiKeyId: string,
  { wallNow }: Pick<Claimant, "wallNow">,
): Promise<number | undefined> {
  const row = await heads(store, apiKeyId, wallNow())
    .select("delivery.next_at")
    .orderBy("delivery.next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

/** Releases all claims. Only for a database with a single process, at its start. */
export async function releaseAll(store: Store): Promise<void> {
  await store
    .updateTable("webhook_deliveries")
    .set({ claimed_by: null, claimed_until: null })
    .where("claimed_by", "is not", null)
    .execute();
}

function heads(store: Store, apiKeyId: string, wallNow: number) {
  return store
    .selectFrom("webhook_deliveries as delivery")
    .where("delivery.api_key_id", "=", apiKeyId)
    .where("delivery.state", "=", "pending")
    .where(({ eb, or }) =>
      or([eb("delivery.claimed_until", "is", null), eb("delivery.claimed_until", "<=", wallNow)]),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_deliveries as earlier")
            .select("earlier.id")
            .whereRef("earlier.request_id", "=", "delivery.request_id")
            .whereRef("earlier.api_key_id", "=", "delivery.api_key_id")
            .where("earlier.state", "=", "pending")
            .whereRef("earlier.id", "<", "delivery.id")
            // Later statuses overtake a reordered one until its first attempt.
            .where(({ eb, or }) =>
              or([
                eb("earlier.fault", "is", null),
                eb("earlier.fault", "!=", "reorder"),
                eb("earlier.attempts", ">", 0),
              ]),
            ),
        ),
      ),
    );
}

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
