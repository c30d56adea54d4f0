import { randomUUID } from "node:crypto";
import { webhookEventSchema } from "../../src/schema/request/statusUpdate.ts";
import type { Context } from "../context/Context.ts";
import { type FaultHooks, noFaults } from "../context/FaultHooks.ts";
import { WebhookRefusedError } from "../errors/refusals.ts";
import { lastEvent } from "../events/followEvents.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store, WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "../store/tables.ts";
import { queueAgain, queueTest } from "./queueDelivery.ts";
import { type DeliveryLimits, runDeliveries } from "./runDeliveries.ts";
import {
  largestPage,
  type Webhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryFilter,
  type WebhookDeliveryPage,
  type WebhookSettings,
  type Webhooks,
} from "./Webhook.ts";
import { testPayload } from "./webhookPayload.ts";
import {
  assertCustomHeaders,
  assertTarget,
  parseCustomHeaders,
  type Resolve,
  systemResolve,
  type TargetRules,
} from "./webhookTarget.ts";

export type StartWebhooksParameters = Pick<Context, "log" | "now" | "random32" | "store"> & {
  readonly apiKeys: Pick<Context["apiKeys"], "list">;
  readonly onCommit: OnCommit;
  /** Chain ids for test events: origin, destination. */
  readonly chainIds: readonly number[];
  /** Whether targets on other machines are allowed; read for each post. @default never */
  readonly allowRemote?: (() => boolean) | undefined;
  /** @default no faults */
  readonly faults?: Pick<FaultHooks, "forDelivery"> | undefined;
  readonly limits?: Partial<DeliveryLimits> | undefined;
  /** Resolves host names. @default the system's resolver */
  readonly resolve?: Resolve | undefined;
  /** Unix milliseconds of the system clock, for leases. @default Date.now */
  readonly wallNow?: (() => number) | undefined;
};

export type RunningWebhooks = Webhooks & {
  /** Starts a round of deliveries, after a change of the clock. */
  wake(): void;
  /** Gives running attempts a moment to finish, then stops. Pending deliveries continue after the next start. */
  stop(): Promise<void>;
};

const defaultLimits: DeliveryLimits = { parallelPosts: 16, stopGraceMs: 2_000, timeoutMs: 10_000 };
const leaseMarginMs = 5_000;

/** Starts to post request statuses to the endpoints of API keys (specification, "Webhook"). */
export async function startWebhooks(parameters: StartWebhooksParameters): Promise<RunningWebhooks> {
  const { apiKeys, chainIds, log, now, onCommit, random32, store } = parameters;
  const {
    allowRemote = () => false,
    faults = noFaults,
    resolve = systemResolve,
    wallNow = Date.now,
  } = parameters;
  const limits = { ...defaultLimits, ...parameters.limits };
  const rules = (): TargetRules => ({ allowRemote: allowRemote(), resolve });
  // Not from the injected randomness: processes with the same seed need different ids.
  const claimant = { id: randomUUID(), leaseMs: limits.timeoutMs + leaseMarginMs, wallNow };
  const { wake, stop } = await runDeliveries({ claimant, faults, limits, log, now, rules, store });
  onCommit(wake);
  const queued = async (apiKeyId: string, id: number | undefined) => {
    wake();
    return id === undefined ? undefined : findDelivery(store, apiKeyId, id);
  };
  return {
    deliveries: (apiKeyId, filter) => listDeliveries(store, apiKeyId, filter),
    get: async (apiKeyId) => {
      const row = await findRow(store, apiKeyId);
      return row === undefined ? undefined : toWebhook(row);
    },
    wake,
    remove: (apiKeyId) => remove(store, apiKeyId, now()),
    resend: async (apiKeyId, deliveryId) =>
      queued(apiKeyId, await queueAgain(store, { apiKeyId, deliveryId, now: now() })),
    set: async (apiKeyId, settings) => {
      if (!apiKeys.list().some(({ id }) => id === apiKeyId)) {
        throw new WebhookRefusedError("No active API key has this id.");
      }
      assertCustomHeaders(settings.headers ?? {});
      await assertTarget(settings.url, rules());
      return save(store, { apiKeyId, now: now(), settings });
    },
    stop,
    test: async (apiKeyId, status = "success") => {
      const payload = testPayload({ at: now(), chainIds, requestId: random32(), status });
      return queued(apiKeyId, await queueTest(store, { apiKeyId, now: now(), payload }));
    },
  };
}

async function findRow(store: Store, apiKeyId: string): Promise<WebhookRow | undefined> {
  return store.selectFrom("webhooks").selectAll().where("api_key_id", "=", apiKeyId).executeTakeFirst();
}

async function save(
  store: Store,
  { apiKeyId, now, settings }: { apiKeyId: string; now: number; settings: WebhookSettings },
): Promise<Webhook> {
  return store.transaction().execute(async (transaction) => {
    const before = await findRow(transaction, apiKeyId);
    const row: WebhookRow = {
      api_key_id: apiKeyId,
      created_at: before?.created_at ?? now,
      headers: JSON.stringify(settings.headers ?? {}),
      is_enabled: settings.isEnabled === false ? 0 : 1,
      // An enabled endpoint keeps its position. A new or disabled one starts at the end of the log.
      position: before?.is_enabled === 1 ? before.position : await lastEvent(transaction),
      updated_at: now,
      url: settings.url,
    };
    await transaction
      .insertInto("webhooks")
      .values(row)
      .onConflict((conflict) => conflict.column("api_key_id").doUpdateSet(row))
      .execute();
    return toWebhook(row);
  });
}

async function remove(store: Store, apiKeyId: string, now: number): Promise<boolean> {
  return store.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("webhook_deliveries")
      .set({ finished_at: now, state: "cancelled" })
      .where("api_key_id", "=", apiKeyId)
      .where("state", "=", "pending")
      .execute();
    const { numDeletedRows } = await transaction
      .deleteFrom("webhooks")
      .where("api_key_id", "=", apiKeyId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    apiKeyId: row.api_key_id,
    createdAt: row.created_at,
    headers: parseCustomHeaders(row.headers),
    isEnabled: row.is_enabled === 1,
    updatedAt: row.updated_at,
    url: row.url,
  };
}

const defaultPageSize = 20;

/** Lists deliveries of a key, newest first. New deliveries do not shift later pages. */
async function listDeliveries(
  store: Store,
  apiKeyId: string,
  filter: WebhookDeliveryFilter = {},
): Promise<WebhookDeliveryPage> {
  const { continuation, kind, limit = defaultPageSize, requestId, state, status } = filter;
  let query = store.selectFrom("webhook_deliveries").selectAll().where("api_key_id", "=", apiKeyId);
  if (requestId !== undefined) query = query.where("request_id", "=", requestId.toLowerCase());
  if (state !== undefined) query = query.where("state", "=", state);
  if (status !== undefined) query = query.where("status", "=", status);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (continuation !== undefined) query = query.where("id", "<", readCursor(continuation));
  const size = Math.min(Math.max(limit, 1), largestPage);
  const rows = await query
    .orderBy("id", "desc")
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    deliveries: await withAttempts(store, page),
    ...(rows.length > size && last !== undefined && { continuation: String(last.id) }),
  };
}

async function findDelivery(
  store: Store,
  apiKeyId: string,
  id: number,
): Promise<WebhookDelivery | undefined> {
  const rows = await store
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("api_key_id", "=", apiKeyId)
    .where("id", "=", id)
    .execute();
  const [delivery] = await withAttempts(store, rows);
  return delivery;
}

async function withAttempts(store: Store, rows: readonly WebhookDeliveryRow[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await store
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("id")
    .execute();
  const ofDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => toDelivery(row, ofDelivery.get(row.id) ?? []));
}

function toDelivery(row: WebhookDeliveryRow, attempts: readonly WebhookAttemptRow[]): WebhookDelivery {
  const { id, kind, state, status } = row;
  return {
    ...{ id, kind, state, status },
    apiKeyId: row.api_key_id,
    attempts: attempts.map(toAttempt),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    nextAttemptAt: state === "pending" ? row.next_at : null,
    payload: webhookEventSchema.parse(JSON.parse(row.payload)),
    requestId: row.request_id,
    resendOf: row.resend_of,
  };
}

function toAttempt({ answer, at, duration_ms, error, status_code }: WebhookAttemptRow): WebhookAttempt {
  return { answer, at, durationMs: duration_ms, error, statusCode: status_code };
}

/** A cursor is the id of the last delivery of a page. */
function readCursor(continuation: string): number {
  if (/^\d{1,15}$/.test(continuation)) return Number(continuation);
  throw new WebhookRefusedError("The continuation is invalid: use that of an earlier page.");
}
