import { randomUUID } from "node:crypto";
import type { Context } from "../context/Context.ts";
import { type FaultHooks, noFaults } from "../context/FaultHooks.ts";
import { WebhookRefusedError } from "../errors/refusals.ts";
import { lastEvent } from "../events/followEvents.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store, WebhookRow } from "../store/tables.ts";
import { findDelivery, listDeliveries } from "./listDeliveries.ts";
import { queueAgain, queueTest } from "./queueDelivery.ts";
import { type DeliveryLimits, runDeliveries } from "./runDeliveries.ts";
import type { Webhook, WebhookSettings, Webhooks } from "./Webhook.ts";
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
