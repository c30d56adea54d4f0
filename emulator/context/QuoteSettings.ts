import type { RouterVersion } from "../chains/RouterVersion.ts";
import { oneUsd, type Usd } from "../money/prices.ts";

/** What quotes depend on beside the request. Whoever controls the emulator may change it while it runs. */
export type QuoteSettings = {
  routerVersion: RouterVersion;
  /** What the solver lends to one request; a quote with `useExternalLiquidity` may ask for more. */
  capacityPerRequest: Usd;
};

/** Settings as they are unless told otherwise. */
export function defaultQuoteSettings(): QuoteSettings {
  return { capacityPerRequest: 10_000_000n * oneUsd, routerVersion: "v3" };
}
