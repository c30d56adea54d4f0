import type { Hex } from "viem";
import type { LocalAccounts } from "../chains/accounts.ts";
import type { Chain } from "../chains/Chain.ts";
import type { ApiKeys } from "../keys/ApiKey.ts";
import type { LogEntry } from "../log/LogEntry.ts";
import type { Store } from "../store/openStore.ts";
import type { ControlHooks } from "./ControlHooks.ts";
import type { QuoteSettings } from "./QuoteSettings.ts";

/** Dependencies shared by the parts of the emulator. Time, randomness and log are injected; no part uses globals. */
export type Context = {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly accounts: LocalAccounts;
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  /** Secret for `/admin`. */
  readonly adminKey: string;
  /** Injected faults, health of chains and configuration. */
  readonly control: ControlHooks;
  /** Settings of quotes; may change while the emulator runs. */
  readonly quoting: QuoteSettings;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** 32 random bytes, for request ids, salts and keys. */
  readonly random32: () => Hex;
  /** Structured logger. Secrets are never passed to it. */
  readonly log: (entry: LogEntry) => void;
};
