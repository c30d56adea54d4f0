import type { ChainHealth, HealthChange } from "../context/ChainHealth.ts";
import type { ApiKey, ApiKeys } from "../keys/openApiKeys.ts";
import type { PriceTable } from "../money/priceHistory.ts";
import type { SponsorEntry } from "../money/sponsorLedger.ts";
import type { Faults } from "./faults/openFaults.ts";
import type { Prices } from "./prices/openPrices.ts";
import type { PoolTrade } from "./prices/repegPools.ts";
import type { ControlLogEntry, ControlLogQuery } from "./settings/controlLog.ts";
import type { Clock } from "./settings/openClock.ts";
import type { Config } from "./settings/openConfig.ts";
import type { EmulatorState, ReorgReport } from "./state/openState.ts";

/** An account's balance of one currency on one chain. */
export type BalanceOf = {
  readonly chainId: number;
  /** An address, or a token id such as `usdc`. */
  readonly currency: string;
  /** An address of the chain. */
  readonly account: string;
};

/**
 * Controls a running emulator from tests; `/admin` offers the same over HTTP. Settings survive a restart over the same
 * database, snapshots do not.
 *
 * Methods reject with a `ControlRefusedError` for an impossible change and with an `InvalidParameterError` for an invalid
 * argument.
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
     * Sets prices and trades the pools of all chains to them, so that quotes follow. A wrapped currency has the price of its
     * native one.
     *
     * @param options `movePools: false` leaves the pools at their prices.
     * @throws ControlRefusedError for an unknown symbol, for two prices of ETH, and if a node cannot set balances. In the last
     * case the table is set and the pools of that chain keep their prices.
     */
    set(prices: PriceTable, options?: { readonly movePools?: boolean | undefined }): Promise<PriceTable>;
    /** Trades the pools of one chain, or of all, to the prices of the table. */
    repegPools(chainId?: number): Promise<readonly (PoolTrade & { readonly chainId: number })[]>;
  };
  readonly balances: {
    /** Reads a balance in smallest units. */
    get(of: BalanceOf): Promise<bigint>;
    /** Sets a balance to exactly `amount`, in smallest units. */
    set(of: BalanceOf & { readonly amount: bigint }): Promise<void>;
  };
  /** Balances of sponsors, in millionths of a dollar, by the id of their API key. */
  readonly sponsors: {
    /** Reads a balance; `undefined` if none was ever set. */
    get(apiKeyId: string): Promise<bigint | undefined>;
    /** Sets a balance, which makes the key's integrator a sponsor. */
    set(of: { readonly apiKeyId: string; readonly amount: bigint }): Promise<void>;
    /** Lists all changes of a balance, oldest first; their sum is the balance. */
    entries(apiKeyId: string): Promise<readonly SponsorEntry[]>;
  };
  readonly chains: {
    health(chainId: number): ChainHealth;
    setHealth(chainId: number, change: HealthChange): Promise<ChainHealth>;
    /**
     * Reorgs exactly the last `blocks` blocks away. Their transactions are mined again in other blocks unless `returns` is
     * false.
     *
     * @throws ControlRefusedError if the state before them was not kept: call `config.set({ reorgs: true })` first.
     */
    reorg(parameters: {
      readonly chainId: number;
      readonly blocks: number;
      readonly returns?: boolean | undefined;
    }): Promise<ReorgReport>;
  };
  /** Lists control actions and fired faults, of one request or of all, oldest first. */
  log(parameters?: ControlLogQuery): Promise<readonly ControlLogEntry[]>;
};
