import { signWebhook } from "../../src/webhooks/signWebhook.ts";
import type { Context } from "../context/Context.ts";
import type { DeliveryFault, FaultHooks } from "../context/FaultHooks.ts";
import { lastEvent } from "../events/followEvents.ts";
import { wakeLoop } from "../events/wakeLoop.ts";
import { isPostgres } from "../store/dialect/columnTypes.ts";
import type { EventRow, RequestRow, Store, StoreTransaction, WebhookDeliveryRow } from "../store/tables.ts";
import {
  type Claimant,
  claimDeliveries,
  isDelivered,
  nextDue,
  recordAttempt,
  releaseAll,
} from "./claimDeliveries.ts";
import { postWebhook } from "./postWebhook.ts";
import { insertDelivery } from "./queueDelivery.ts";
import { webhookPayload } from "./webhookPayload.ts";
import { parseCustomHeaders, type TargetRules } from "./webhookTarget.ts";

/** Limits for the deliveries of one process. */
export type DeliveryLimits = {
  /** Concurrent posts to one endpoint. */
  readonly parallelPosts: number;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  /** Maximum delay of a stop by running attempts. */
  readonly stopGraceMs: number;
};

type RunningDeliveries = {
  /** Starts a round, after a write or a change of the clock. */
  wake(): void;
  stop(): Promise<void>;
};

type RunDeliveriesParameters = Pick<Context, "log" | "now" | "store"> & {
  readonly claimant: Claimant;
  readonly faults: Pick<FaultHooks, "forDelivery">;
  readonly limits: DeliveryLimits;
  readonly rules: () => TargetRules;
};

type Endpoint = {
  readonly apiKeyId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
};

/** Pause between two rounds, so that one round serves many commits. */
const restMs = 5;
/** Interval of checks whether a retry is due: the clock may be set at any time. */
const tickMs = 25;
/** Interval of rounds without a wake-up: another process may have died during an attempt. */
const roundMs = 1_000;

/** Posts due deliveries until stopped. All state is in the database, so a restart continues where the last process ended. */
export async function runDeliveries(parameters: RunDeliveriesParameters): Promise<RunningDeliveries> {
  const { claimant, limits, log, now, store } = parameters;
  const posts = new Map<string, Set<Promise<void>>>();
  const ending = new AbortController();
  let dueAt = Number.POSITIVE_INFINITY;

  const start = (endpoint: Endpoint, delivery: WebhookDeliveryRow, ofEndpoint: Set<Promise<void>>) => {
    const post = deliver(delivery, endpoint, { ...parameters, signal: ending.signal })
      .catch((cause: unknown) =>
        log({ cause, level: "error", message: "a webhook attempt could not be recorded" }),
      )
      .then(() => {
        ofEndpoint.delete(post);
        loop.wake();
      });
    ofEndpoint.add(post);
  };
  const serve = async (endpoint: Endpoint) => {
    const { apiKeyId } = endpoint;
    const ofEndpoint = posts.get(apiKeyId) ?? new Set();
    posts.set(apiKeyId, ofEndpoint);
    const limit = limits.parallelPosts - ofEndpoint.size;
    // The end of a running post starts the next round.
    if (limit <= 0 || loop.isStopped) return;
    const claimed = await claimDeliveries(store, { apiKeyId, claimant, limit, now: now() });
    for (const delivery of claimed) start(endpoint, delivery, ofEndpoint);
    if (claimed.length === limit) return;
    dueAt = Math.min(dueAt, (await nextDue(store, apiKeyId, claimant)) ?? dueAt);
  };
  const round = async () => {
    dueAt = Number.POSITIVE_INFINITY;
    if (!(await takeEvents(store, parameters))) return;
    for (const endpoint of await activeEndpoints(store)) await serve(endpoint);
  };
  const loop = wakeLoop({
    onFailure: (cause) => {
      if (!loop.isStopped) log({ cause, level: "error", message: "a round of webhook deliveries failed" });
    },
    restMs,
    round,
  });

  // A SQLite file has one process at a time, so all claims are of processes that have ended.
  if (!isPostgres(store)) await releaseAll(store);
  const tick = setInterval(() => {
    if (dueAt !== Number.POSITIVE_INFINITY && now() >= dueAt) loop.wake();
  }, tickMs);
  const rounds = setInterval(loop.wake, roundMs);
  loop.wake();
  return {
    wake: loop.wake,
    stop: async () => {
      clearInterval(tick);
      clearInterval(rounds);
      await loop.stop();
      const grace = setTimeout(() => ending.abort(), limits.stopGraceMs);
      await Promise.all([...posts.values()].flatMap((ofEndpoint) => [...ofEndpoint]));
      clearTimeout(grace);
    },
  };
}

/** Enabled endpoints of keys that are not revoked. */
async function activeEndpoints(store: Context["store"]): Promise<readonly Endpoint[]> {
  const rows = await store
    .selectFrom("webhooks")
    .innerJoin("api_keys", "api_keys.id", "webhooks.api_key_id")
    .select(["webhooks.api_key_id", "webhooks.url", "webhooks.headers", "api_keys.key"])
    .where("webhooks.is_enabled", "=", 1)
    .where("api_keys.revoked_at", "is", null)
    .orderBy("webhooks.api_key_id")
    .execute();
  return rows.map(({ api_key_id, headers, key, url }) => ({
    apiKeyId: api_key_id,
    headers: parseCustomHeaders(headers),
    secret: key,
    url,
  }));
}

async function deliver(
  { attempts, fault, id, payload }: WebhookDeliveryRow,
  { headers, secret, url }: Endpoint,
  { claimant, limits, now, rules, signal, store }: RunDeliveriesParameters & { signal: AbortSignal },
): Promise<void> {
  const attempt = async () => {
    const at = now();
    const signature = await signWebhook(payload, { secret, timestamp: Math.floor(at / 1_000) });
    const message = { body: payload, headers: { ...headers, ...signature } };
    const outcome = await postWebhook(url, message, { ...rules(), signal, timeoutMs: limits.timeoutMs });
    await recordAttempt(store, { at, claimedBy: claimant.id, deliveryId: id, now: now(), outcome });
    return outcome;
  };
  const outcome = await attempt();
  if (fault === "duplicate" && attempts === 0 && isDelivered(outcome)) await attempt();
}

/** Maximum events of one endpoint in one transaction. */
const batchSize = 200;
/** Time in which later statuses overtake a reordered one, in milliseconds of the emulator's clock. */
const overtakingMs = 2_000;

/**
 * Queues a delivery for each new status of each request whose key has an enabled endpoint. The endpoint's position
 * advances in the same transaction, so each event is queued once among all processes.
 */
async function takeEvents(
  store: Store,
  parameters: { readonly now: () => number; readonly faults: Pick<FaultHooks, "forDelivery"> },
): Promise<boolean> {
  const endpoints = await store
    .selectFrom("webhooks")
    .select(["api_key_id", "position"])
    .where("is_enabled", "=", 1)
    .execute();
  if (endpoints.length === 0) return false;
  const last = await lastEvent(store);
  for (const { api_key_id, position } of endpoints) {
    if (position >= last) continue;
    let isMore = true;
    while (isMore) isMore = await takeBatch(store, api_key_id, parameters);
  }
  return true;
}

async function takeBatch(
  store: Store,
  apiKeyId: string,
  { faults, now }: Parameters<typeof takeEvents>[1],
): Promise<boolean> {
  return store.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom("webhooks")
      .select("position")
      .where("api_key_id", "=", apiKeyId)
      .where("is_enabled", "=", 1)
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    const last = await lastEvent(transaction);
    const events = await transaction
      .selectFrom("events")
      .innerJoin("requests", "requests.id", "events.request_id")
      .selectAll("events")
      .where("requests.api_key_id", "=", apiKeyId)
      .where("events.seq", ">", endpoint.position)
      .orderBy("events.seq")
      .limit(batchSize)
      .execute();
    for (const event of events) {
      if (!(await isNewStatus(transaction, event))) continue;
      const { request_id: requestId, status } = event;
      const fault = await faults.forDelivery({ channel: "webhook", requestId, status }, transaction);
      await addDelivery(transaction, { apiKeyId, event, fault, now: now() });
    }
    const isMore = events.length === batchSize;
    await transaction
      .updateTable("webhooks")
      .set({ position: isMore ? (events.at(-1)?.seq ?? last) : last })
      .where("api_key_id", "=", apiKeyId)
      .execute();
    return isMore;
  });
}

/** False for events that leave the status unchanged, such as a fill that fails before it is sent. */
async function isNewStatus(transaction: StoreTransaction, event: EventRow): Promise<boolean> {
  const before = await transaction
    .selectFrom("events")
    .select("status")
    .where("request_id", "=", event.request_id)
    .where("seq", "<", event.seq)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return before?.status !== event.status;
}

async function addDelivery(
  transaction: StoreTransaction,
  {
    apiKeyId,
    event,
    fault,
    now,
  }: { apiKeyId: string; event: EventRow; fault: DeliveryFault | undefined; now: number },
): Promise<void> {
  const request: RequestRow = await transaction
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", event.request_id)
    .executeTakeFirstOrThrow();
  const isDropped = fault === "drop";
  await insertDelivery(transaction, {
    api_key_id: apiKeyId,
    event_seq: event.seq,
    fault: fault ?? null,
    finished_at: isDropped ? now : null,
    kind: "event",
    next_at: fault === "reorder" ? now + overtakingMs : now,
    now,
    payload: JSON.stringify(await webhookPayload(transaction, request, event)),
    request_id: event.request_id,
    state: isDropped ? "dropped" : "pending",
    status: event.status,
  });
}
