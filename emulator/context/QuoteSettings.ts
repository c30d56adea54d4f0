import type { RouterVersion } from "../chains/RouterVersion.ts";
import { oneUsd, type Usd } from "../money/prices.ts";

/** Settings of quotes. The control may change them while the emulator runs. */
export type QuoteSettings = {
  routerVersion: RouterVersion;
  /** Amount that the solver lends to one request. Quotes with `useExternalLiquidity` may exceed it. */
  capacityPerRequest: Usd;
};

/** Default settings. */
export function defaultQuoteSettings(): QuoteSettings {
  return { capacityPerRequest: 10_000_000n * oneUsd, routerVersion: "v3" };
}
