import type { Hex } from "viem";
import type { FaultHooks } from "../../../../../emulator/context/FaultHooks.ts";
import type { LogEntry } from "../../../../../emulator/index.ts";
import { openApiKeys } from "../../../../../emulator/keys/openApiKeys.ts";
import { insertRequest } from "../../../../../emulator/requests/insertRequest.ts";
import type { OpenedStore } from "../../../../../emulator/store/openStore.ts";
import type { RequestRow, Store } from "../../../../../emulator/store/tables.ts";
import {
  type RunningWebhooks,
  type StartWebhooksParameters,
  startWebhooks,
} from "../../../../../emulator/webhooks/startWebhooks.ts";
import type { WebhookDelivery } from "../../../../../emulator/webhooks/Webhook.ts";
import type { RequestStatus } from "../../../../../src/schema/request/requestStatus.ts";
import type { StoreKind } from "../../../../helpers/processes/stores.ts";
import { addEvent, idOf, requestRow } from "../../support/requests.ts";
import { type Answer, type Receiver, startReceiver } from "./receiver.ts";

/** A clock that a test moves. */
type ManualClock = { readonly now: () => number; advance(ms: number): void };

/** Starts in 2033, a time that no real clock shows. */
function manualClock(): ManualClock {
  let time = 2_000_000_000_000;
  return {
    advance: (ms) => {
      time += ms;
    },
    now: () => time,
  };
}

/** Running webhooks over a database with two keys. */
export type WebhookBench = {
  readonly webhooks: RunningWebhooks;
  readonly store: Store;
  readonly log: LogEntry[];
  /** Every test uses the first; the second belongs to another integrator. */
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  /** Sets the endpoint of a key, by its place, and returns the key's id. */
  hook(url: string, key?: number): Promise<string>;
  /** Inserts a waiting request of a key. */
  request(parameters?: { keyId?: string | null; row?: Partial<RequestRow> }): Promise<Hex>;
  /** Moves a request through statuses, each with its event in one transaction. */
  reach(requestId: Hex, ...statuses: readonly RequestStatus[]): Promise<void>;
  /** Newest first. */
  deliveries(keyId?: string): Promise<readonly WebhookDelivery[]>;
};

type BenchOptions = Partial<StartWebhooksParameters> & { faults?: Pick<FaultHooks, "forDelivery"> };

let count = 0;

/** Starts webhooks over an open database. */
async function startBench(
  { onCommit, onKeysChanged, store }: OpenedStore,
  clock: ManualClock,
  options: BenchOptions = {},
): Promise<WebhookBench> {
  const log: LogEntry[] = [];
  const shared = {
    log: (entry: LogEntry) => void log.push(entry),
    now: clock.now,
    random32: (): Hex => `0x${crypto.randomUUID().replaceAll("-", "").repeat(2)}`,
    store,
  };
  const apiKeys = await openApiKeys({ ...shared, onKeysChanged });
  if (apiKeys.list().length < 2) await apiKeys.create({ name: "other" });
  const chainIds = [31337, 31338];
  const webhooks = await startWebhooks({ ...shared, apiKeys, chainIds, onCommit, ...options });
  const keys = apiKeys.list();
  const [first = { id: "" }] = keys;
  return {
    deliveries: async (keyId = first.id) => (await webhooks.deliveries(keyId, { limit: 50 })).deliveries,
    hook: async (url, key = 0) => {
      const id = keys[key]?.id ?? "";
      await webhooks.set(id, { url });
      return id;
    },
    keys,
    log,
    reach: async (requestId, ...statuses) => {
      for (const status of statuses) {
        await store.transaction().execute(async (transaction) => {
          const at = clock.now();
          await transaction
            .updateTable("requests")
            .set({ status, updated_at: at })
            .where("id", "=", requestId)
            .execute();
          await addEvent(transaction, { at, request_id: requestId, status, trigger: "test" });
        });
      }
    },
    request: async ({ keyId = first.id, row = {} } = {}) => {
      const id = idOf(++count);
      const times = { created_at: clock.now(), updated_at: clock.now() };
      await insertRequest(store, requestRow({ api_key_id: keyId, id, order_id: id, ...times, ...row }));
      return id;
    },
    store,
    webhooks,
  };
}

/** Benches and receivers of one test at a time, which end with it. */
export type BenchTools = {
  /** The clock of the last bench. */
  readonly clock: ManualClock;
  bench(options?: BenchOptions): Promise<WebhookBench>;
  receiver(answer?: Answer, port?: number): Promise<Receiver>;
  /** A bench whose first key has a receiver as its endpoint. */
  hooked(
    answer?: Answer,
    options?: BenchOptions,
  ): Promise<{ readonly here: WebhookBench; readonly there: Receiver; readonly keyId: string }>;
};

/** Call it in a suite's declaration. */
export function useBench(kind: StoreKind): BenchTools {
  const cleanUps: (() => Promise<unknown>)[] = [];
  let clock = manualClock();
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  const tools: BenchTools = {
    bench: async (options = {}) => {
      clock = manualClock();
      const started = await startBench(await kind.open(), clock, options);
      cleanUps.push(started.webhooks.stop);
      return started;
    },
    clock: { advance: (ms) => clock.advance(ms), now: () => clock.now() },
    hooked: async (answer, options) => {
      const here = await tools.bench(options);
      const there = await tools.receiver(answer);
      return { here, keyId: await here.hook(there.url), there };
    },
    receiver: async (answer, port) => {
      const started = await startReceiver(answer, port);
      cleanUps.push(started.stop);
      return started;
    },
  };
  return tools;
}
