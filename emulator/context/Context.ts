import type { Hex } from "viem";
import type { LocalAccounts } from "../chains/accounts.ts";
import type { Chain, RouterVersion } from "../chains/Chain.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import type { ApiKeys } from "../keys/openApiKeys.ts";
import type { LogEntry } from "../log/LogEntry.ts";
import { oneUsd, type Usd } from "../money/prices.ts";
import type { Exchange } from "../perps/openExchange.ts";
import type { Store } from "../store/tables.ts";
import { type ChainHealth, healthy } from "./ChainHealth.ts";
import { defaultConfig, type EmulatorConfig } from "./EmulatorConfig.ts";
import { type FaultHooks, noFaults } from "./FaultHooks.ts";
import type { PrivateChain } from "./places.ts";

/** Dependencies shared by the parts of the emulator. Time, randomness and log are injected; no part uses globals. */
export type Context = {
  /** The EVM chains. `placesOf` adds the other ledgers. */
  readonly chains: ReadonlyMap<number, Chain>;
  /** The perps exchange; absent unless the emulator was started with it. */
  readonly exchange?: Exchange | undefined;
  /** The SVM chain; absent unless the emulator was started with it. */
  readonly svm?: SvmChain | undefined;
  readonly accounts: LocalAccounts;
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  /** Secret for `/admin`. */
  readonly adminKey: string;
  /** Injected faults, health of chains and configuration. */
  readonly control: ControlHooks;
  /** Chains that are hidden unless named. @default none */
  readonly privateChains?: readonly PrivateChain[] | undefined;
  /** Settings of quotes; may change while the emulator runs. */
  readonly quoting: QuoteSettings;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Unix milliseconds that never stop and never go back, however the emulator's clock is set: delays of retries count them. */
  readonly workTime: () => number;
  /** 32 random bytes, for request ids, salts and keys. */
  readonly random32: () => Hex;
  /** Structured logger. Secrets are never passed to it. */
  readonly log: (entry: LogEntry) => void;
};

/** Settings of quotes. The control may change them while the emulator runs. */
type QuoteSettings = {
  routerVersion: RouterVersion;
  /** Amount that the solver lends to one request. Quotes with `useExternalLiquidity` may exceed it. */
  capacityPerRequest: Usd;
};

/** Default settings. */
export function defaultQuoteSettings(): QuoteSettings {
  return { capacityPerRequest: 10_000_000n * oneUsd, routerVersion: "v3" };
}

/** Hooks by which the parts of the emulator read the control's settings. */
export type ControlHooks = {
  readonly faults: FaultHooks;
  readonly health: { of(chainId: number): ChainHealth };
  readonly config: { get(): EmulatorConfig };
  /** Calls a function after each change of the settings, above all of the clock. */
  onClock(listener: () => void): () => void;
};

/** Hooks without faults and with default settings, for parts used on their own. */
export const noControl: ControlHooks = {
  config: { get: () => defaultConfig },
  faults: noFaults,
  health: { of: () => healthy },
  onClock: () => () => undefined,
};
