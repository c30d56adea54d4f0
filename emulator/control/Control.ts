import type { Address } from "viem";
import type { ChainHealth, HealthChange } from "../context/ChainHealth.ts";
import type { ApiKey, ApiKeys } from "../keys/ApiKey.ts";
import type { PriceTable } from "../money/priceHistory.ts";
import type { Faults } from "./faults/openFaults.ts";
import type { Prices } from "./prices/openPrices.ts";
import type { PoolTrade } from "./prices/repegPools.ts";
import type { ControlLogEntry } from "./settings/controlLog.ts";
import type { Clock } from "./settings/openClock.ts";
import type { Config } from "./settings/openConfig.ts";
import type { EmulatorState, ReorgReport } from "./state/openState.ts";

/** An account's holding on one chain. */
export type BalanceOf = {
  readonly chainId: number;
  /** An address, or a token id such as `usdc`. */
  readonly currency: string;
  readonly account: Address;
};

/**
 * Everything that tests can do to a running emulator; the same is below `/admin`. What was set outlives a restart over the
 * same database, but for snapshots.
 *
 * What cannot be done rejects with a `ControlRefusedError`, and what is not well formed with an
 * `InvalidParameterError`.
 */
export type Control = Omit<EmulatorState, "reorg"> & {
  readonly faults: Faults;
  readonly clock: Clock;
  readonly config: Config;
  readonly keys: Pick<ApiKeys, "create" | "revoke"> & {
    list(): readonly Omit<ApiKey, "key">[];
  };
  readonly prices: Pick<Prices, "list"> & {
    /**
     * Sets prices, and has the pools of every chain follow, so that quotes do. A wrapped currency has the price of its native
     * one.
     *
     * @param options `movePools: false` leaves the pools where they are, apart from the table.
     * @throws ControlRefusedError for a symbol that no chain has, for two prices of ETH, and where a node cannot set balances:
     * then the table is set, and the pools of that chain stay.
     */
    set(prices: PriceTable, options?: { readonly movePools?: boolean | undefined }): Promise<PriceTable>;
    /** Trades in the pools until they have the prices of the table, on one chain or on all. */
    repegPools(chainId?: number): Promise<readonly (PoolTrade & { readonly chainId: number })[]>;
  };
  readonly balances: {
    /** Smallest units. */
    get(of: BalanceOf): Promise<bigint>;
    /** Gives an account exactly that much. */
    set(of: BalanceOf & { readonly amount: bigint }): Promise<void>;
  };
  readonly chains: {
    health(chainId: number): ChainHealth;
    setHealth(chainId: number, change: HealthChange): Promise<ChainHealth>;
    /**
     * Has exactly the last `blocks` blocks vanish. Their transactions come back in other blocks unless `returns` is false.
     *
     * @throws ControlRefusedError where the state before them was not kept: `config.set({ reorgs: true })` first.
     */
    reorg(parameters: {
      readonly chainId: number;
      readonly blocks: number;
      readonly returns?: boolean | undefined;
    }): Promise<ReorgReport>;
  };
  /** What was done on purpose and the faults that fired, oldest first. */
  log(parameters?: {
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly ControlLogEntry[]>;
};
