import type { Hex } from "viem";
import type { LocalAccounts } from "../chains/accounts.ts";
import type { Chain } from "../chains/Chain.ts";
import type { ApiKeys } from "../keys/ApiKey.ts";
import type { LogEntry } from "../log/LogEntry.ts";
import type { Store } from "../store/openStore.ts";
import type { ControlHooks } from "./ControlHooks.ts";
import type { QuoteSettings } from "./QuoteSettings.ts";

/** What the parts of the emulator share. Time, randomness and log are injected: nothing reaches for globals. */
export type Context = {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly accounts: LocalAccounts;
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  /** Opens what is below `/admin`. */
  readonly adminKey: string;
  /** What was set on purpose: faults, health of chains, configuration. */
  readonly control: ControlHooks;
  /** What quotes depend on beside the request; may change while the emulator runs. */
  readonly quoting: QuoteSettings;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** 32 random bytes, for request ids, salts and keys. */
  readonly random32: () => Hex;
  /** Told of everything worth a line; never of secrets. */
  readonly log: (entry: LogEntry) => void;
};
