import type { Hex } from "viem";
import type { FaultHooks } from "../../../../../emulator/context/FaultHooks.ts";
import type { LogEntry } from "../../../../../emulator/index.ts";
import { openApiKeys } from "../../../../../emulator/keys/openApiKeys.ts";
import { insertRequest } from "../../../../../emulator/requests/insertRequest.ts";
import type { OpenedStore, Store } from "../../../../../emulator/store/openStore.ts";
import type { RequestRow } from "../../../../../emulator/store/tables.ts";
import {
  type RunningWebhooks,
  type StartWebhooksParameters,
  startWebhooks,
} from "../../../../../emulator/webhooks/startWebhooks.ts";
import type { WebhookDelivery } from "../../../../../emulator/webhooks/Webhook.ts";
import type { RequestStatus } from "../../../../../src/schema/request/requestStatus.ts";
import { requestRow } from "../../support/requests.ts";

/** A clock that a test moves. */
export type ManualClock = { readonly now: () => number; advance(ms: number): void };

/** Begins at a time that no real one is mistaken for. */
export function manualClock(start = 2_000_000_000_000): ManualClock {
  let time = start;
  return {
    advance: (ms) => {
      time += ms;
    },
    now: () => time,
  };
}

/** Webhooks over a database, with two keys and the means to make things happen. */
export type WebhookBench = {
  readonly webhooks: RunningWebhooks;
  readonly store: Store;
  readonly log: LogEntry[];
  /** The first is in every test; the second belongs to another integrator. */
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  /** Makes a request of a key, which waits. */
  request(parameters?: { keyId?: string | null; row?: Partial<RequestRow> }): Promise<Hex>;
  /** Has a request reach a status, as the lifecycle does: both in one transaction. */
  reach(requestId: Hex, status: RequestStatus, data?: object): Promise<void>;
  /** Newest first. */
  deliveries(keyId?: string): Promise<readonly WebhookDelivery[]>;
};

let count = 0;

/** A request id that no other test has. */
export function newId(): Hex {
  return `0x${(++count).toString(16).padStart(64, "0")}`;
}

/** Starts webhooks over an open database. */
export async function startBench(
  { onCommit, onKeysChanged, store }: OpenedStore,
  clock: ManualClock,
  options: Partial<StartWebhooksParameters> & { faults?: Pick<FaultHooks, "forDelivery"> } = {},
): Promise<WebhookBench> {
  const log: LogEntry[] = [];
  const shared = {
    log: (entry: LogEntry) => void log.push(entry),
    now: clock.now,
    random32: newRandom,
    store,
  };
  const apiKeys = await openApiKeys({ ...shared, onKeysChanged });
  if (apiKeys.list().length < 2) await apiKeys.create({ name: "other" });
  const webhooks = await startWebhooks({
    ...shared,
    apiKeys,
    chainIds: [31337, 31338],
    onCommit,
    ...options,
  });
  const keys = apiKeys.list();
  const [first = { id: "" }] = keys;
  return {
    deliveries: async (keyId = first.id) => (await webhooks.deliveries(keyId, { limit: 50 })).deliveries,
    keys,
    log,
    reach: async (requestId, status, data = {}) => {
      await store.transaction().execute(async (transaction) => {
        const at = clock.now();
        await transaction
          .updateTable("requests")
          .set({ status, updated_at: at })
          .where("id", "=", requestId)
          .execute();
        await transaction
          .insertInto("events")
          .values({ at, data: JSON.stringify(data), request_id: requestId, status, trigger: "test" })
          .execute();
      });
    },
    request: async ({ keyId = first.id, row = {} } = {}) => {
      const id = newId();
      const created_at = clock.now();
      await insertRequest(
        store,
        requestRow({ api_key_id: keyId, created_at, id, order_id: id, updated_at: created_at, ...row }),
      );
      return id;
    },
    store,
    webhooks,
  };
}

function newRandom(): Hex {
  return `0x${crypto.randomUUID().replaceAll("-", "").repeat(2)}`;
}
