import type { Address } from "viem";
import { isSvmAddress } from "../../src/svm/address.ts";
import { storedAccount } from "../chains/accountText.ts";
import type { Chain } from "../chains/Chain.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import type { Context } from "../context/Context.ts";
import type { EmulatorConfig } from "../context/EmulatorConfig.ts";
import { balanceAt, isEvmChain, isSvmChain, type Place, placesOf } from "../context/places.ts";
import { findCurrency } from "../currencies/currencyId.ts";
import { ControlRefusedError } from "../errors/refusals.ts";
import type { ApiKeys } from "../keys/openApiKeys.ts";
import { balanceOfSponsor, listSponsorEntries, setSponsorBalance } from "../money/sponsorLedger.ts";
import { lockSetup } from "../store/locks.ts";
import type { BalanceOf, Control } from "./Control.ts";
import type { OpenedFaults } from "./faults/openFaults.ts";
import type { OpenedPrices } from "./prices/openPrices.ts";
import { repegPools, repegSvmPools } from "./prices/repegPools.ts";
import { setBalance } from "./prices/setBalance.ts";
import type { ControlLog } from "./settings/controlLog.ts";
import type { OpenedClock } from "./settings/openClock.ts";
import type { OpenedConfig } from "./settings/openConfig.ts";
import type { OpenedHealth } from "./settings/openHealth.ts";
import type { OpenedState } from "./state/openState.ts";

/** The running parts that the control acts on. */
export type ControlledParts = Pick<Context, "accounts" | "exchange" | "svm"> & {
  readonly apiKeys: ApiKeys;
  readonly chains: ReadonlyMap<number, Chain>;
  /** Pauses the solver while `work` runs. */
  readonly hold: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Starts the solver's next round immediately. */
  readonly wake: () => void;
  /** Applies the configuration to the other parts, now and after each change. */
  readonly apply: (config: EmulatorConfig) => void;
};

/** The settings of one database, opened. */
type Settings = Pick<Context, "store"> & {
  readonly clock: OpenedClock;
  readonly config: OpenedConfig;
  readonly controlLog: ControlLog;
  readonly faults: OpenedFaults;
  readonly health: OpenedHealth;
  readonly prices: OpenedPrices;
  readonly state: OpenedState;
  /** Logs a change under `kind` and notifies the other parts. */
  readonly tell: <Reading extends object>(kind: string, change: Promise<Reading>) => Promise<Reading>;
};

/** Puts the control together from opened settings and running parts. */
export function createControl(settings: Settings, parts: ControlledParts): Control {
  const { clock, config, controlLog, faults, health, tell } = settings;
  const { apiKeys, hold } = parts;
  const placeOf = (chainId: number) => {
    const place = placesOf(parts).get(chainId);
    if (place === undefined) throw new ControlRefusedError(`There is no chain ${chainId}.`);
    return place;
  };
  const { reorg, reset, restore, snapshot, snapshots } = settings.state;
  return {
    ...{ reset, restore, snapshot, snapshots },
    balances: {
      get: async (of) => balanceAt(...holding(placeOf(of.chainId), of)),
      set: async ({ amount, ...of }) => {
        const [place, currency, account] = holding(placeOf(of.chainId), of);
        await hold(() =>
          isEvmChain(place)
            ? setBalance(place, { account, amount, currency })
            : place.setBalance(currency, account, amount),
        );
        controlLog.write({ data: { ...of, amount: amount.toString() }, kind: "balance" });
      },
    },
    sponsors: {
      entries: (apiKeyId) => listSponsorEntries(settings.store, apiKeyId),
      get: (apiKeyId) => balanceOfSponsor(settings.store, apiKeyId),
      set: async ({ amount, apiKeyId }) => {
        if (!apiKeys.list().some(({ id }) => id === apiKeyId)) {
          throw new ControlRefusedError(`There is no API key ${apiKeyId}.`);
        }
        await setSponsorBalance(settings.store, apiKeyId, amount, clock.read().now);
        controlLog.write({ data: { amount: amount.toString(), apiKeyId }, kind: "sponsor" });
      },
    },
    chains: {
      health: (chainId) => health.of(placeOf(chainId).definition.id),
      reorg: ({ blocks, chainId, returns = true }) => reorg(chainId, blocks, returns),
      setHealth: async (chainId, change) => {
        const result = await health.set(placeOf(chainId).definition.id, change);
        controlLog.write({ data: { chainId, ...result }, kind: "health" });
        return result;
      },
    },
    clock: {
      advance: (milliseconds) => tell("clock", clock.advance(milliseconds)),
      freeze: () => tell("clock", clock.freeze()),
      read: clock.read,
      resume: () => tell("clock", clock.resume()),
      set: (time) => tell("clock", clock.set(time)),
    },
    config: { get: config.get, set: (change) => tell("config", config.set(change)) },
    faults: { add: faults.add, clear: faults.clear, list: faults.list, remove: faults.remove },
    keys: {
      create: apiKeys.create,
      list: () => apiKeys.list().map(({ key: _, ...rest }) => rest),
      revoke: apiKeys.revoke,
    },
    log: controlLog.list,
    prices: pricesControl(settings, parts, placeOf),
  };
}

/** The control of prices, with the pools that follow the table. */
function pricesControl(
  { controlLog, prices, store, tell }: Settings,
  { accounts, chains, hold, svm }: ControlledParts,
  placeOf: (chainId: number) => Place,
): Control["prices"] {
  const repeg = async (chain: Chain | SvmChain) => {
    const { id } = chain.definition;
    // One process at a time: two would reuse each other's nonces and undo each other's trades.
    const trades = await lockSetup(store, id, async () => {
      await prices.reload();
      return isSvmChain(chain) ? repegSvmPools(chain) : repegPools(chain, accounts);
    });
    return trades.map((trade) => ({ ...trade, chainId: id }));
  };
  const markets = [...chains.values(), ...(svm === undefined ? [] : [svm])];
  const repegAll = (those: Iterable<Chain | SvmChain>) =>
    hold(async () => {
      const trades = [];
      for (const chain of those) trades.push(...(await repeg(chain)));
      controlLog.write({ data: { trades: trades.length }, kind: "pools" });
      return trades;
    });
  const marketOf = (chainId: number) => {
    const place = placeOf(chainId);
    if (isEvmChain(place) || isSvmChain(place)) return place;
    throw new ControlRefusedError(`${place.definition.name} has no pools.`);
  };
  return {
    list: prices.list,
    repegPools: (chainId) => repegAll(chainId === undefined ? markets : [marketOf(chainId)]),
    set: async (changes, { movePools = true } = {}) => {
      const table = await tell("prices", prices.set(changes));
      if (movePools) await repegAll(markets);
      return table;
    },
  };
}

/** The arguments of `balanceAt` for a holding. */
function holding(chain: Place, { account, currency }: BalanceOf): [Place, Address, Address] {
  const known = findCurrency(chain, currency);
  if (known === undefined) {
    throw new ControlRefusedError(`${chain.definition.name} has no currency ${currency}.`);
  }
  if (isSvmChain(chain) !== isSvmAddress({ address: account })) {
    throw new ControlRefusedError(`${account} is no account of ${chain.definition.name}.`);
  }
  return [chain, known.address, storedAccount(account) as Address];
}
