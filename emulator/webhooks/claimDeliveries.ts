import type { Store } from "../store/openStore.ts";
import type { WebhookDeliveryRow } from "../store/tables.ts";

/** Who posts, and for how long what it takes is its own. */
export type Claimant = {
  readonly id: string;
  /** Longer than any attempt takes. */
  readonly leaseMs: number;
  /** Unix milliseconds of the machine: a clock that is set by hand says nothing about who is alive. */
  readonly wallNow: () => number;
};

/**
 * Takes deliveries of an endpoint that are due, for nobody else to post: of each request the first that is not finished,
 * so that a status waits for those before it and for nothing else.
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
  // Most of the time there is nothing to take, and nobody has to be kept from writing for that.
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

/** When the next delivery of an endpoint is due, or `undefined` when nothing waits that is not being posted. */
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

/** What a process that is gone for certain had taken is free again. */
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
            .where(({ and, eb, or, ref }) =>
              or([
                eb("earlier.rank", "<", ref("delivery.rank")),
                and([
                  eb("earlier.rank", "=", ref("delivery.rank")),
                  eb("earlier.id", "<", ref("delivery.id")),
                ]),
              ]),
            ),
        ),
      ),
    );
}
