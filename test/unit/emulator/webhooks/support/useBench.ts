import type { StoreKind } from "../../../../helpers/processes/stores.ts";
import { type Answer, type Receiver, startReceiver } from "./receiver.ts";
import { type ManualClock, manualClock, startBench, type WebhookBench } from "./webhookBench.ts";

/** Benches and receivers of one test at a time, which end with it. */
export type BenchTools = {
  /** The clock of the last bench. */
  readonly clock: ManualClock;
  bench(options?: Parameters<typeof startBench>[2]): Promise<WebhookBench>;
  receiver(answer?: Answer): Promise<Receiver>;
  /** Gives a key an endpoint. */
  hook(bench: WebhookBench, url: string, key?: number): Promise<string>;
};

/** To be called where a suite is declared. */
export function useBench(kind: StoreKind): BenchTools {
  const cleanUps: (() => Promise<unknown>)[] = [];
  let clock = manualClock();
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  return {
    bench: async (options = {}) => {
      clock = manualClock();
      const started = await startBench(await kind.open(), clock, options);
      cleanUps.push(started.webhooks.stop);
      return started;
    },
    clock: { advance: (ms) => clock.advance(ms), now: () => clock.now() },
    hook: async ({ keys, webhooks }, url, key = 0) => {
      const id = keys[key]?.id ?? "";
      await webhooks.set(id, { url });
      return id;
    },
    receiver: async (answer) => {
      const started = await startReceiver(answer);
      cleanUps.push(started.stop);
      return started;
    },
  };
}
