import type { Chain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import { lockSetup } from "../store/lockSetup.ts";
import type { Control } from "./Control.ts";
import type { OpenedPrices } from "./prices/openPrices.ts";
import { repegPools } from "./prices/repegPools.ts";
import type { ControlLog } from "./settings/controlLog.ts";

type PricesControlParameters = Pick<Context, "accounts" | "store"> & {
  readonly chainOf: (chainId: number) => Chain;
  readonly chains: ReadonlyMap<number, Chain>;
  readonly controlLog: ControlLog;
  /** Has the solver stand still meanwhile. */
  readonly hold: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly prices: OpenedPrices;
  /** Logs a change, and has the other parts notice. */
  readonly tell: <Reading extends object>(kind: string, change: Promise<Reading>) => Promise<Reading>;
};

/** The price table, with the pools that follow it. */
export function pricesControl({
  accounts,
  chainOf,
  chains,
  controlLog,
  hold,
  prices,
  store,
  tell,
}: PricesControlParameters): Control["prices"] {
  const repeg = async (chain: Chain) => {
    const { id } = chain.definition;
    // Trades of two processes would take each other's nonces, and undo what only one of them has read.
    const trades = await lockSetup(store, id, async () => {
      await prices.reload();
      return repegPools(chain, accounts);
    });
    return trades.map((trade) => ({ ...trade, chainId: id }));
  };
  const repegAll = (those: Iterable<Chain>) =>
    hold(async () => {
      const trades = [];
      for (const chain of those) trades.push(...(await repeg(chain)));
      controlLog.write({ data: { trades: trades.length }, kind: "pools" });
      return trades;
    });
  return {
    list: prices.list,
    repegPools: (chainId) => repegAll(chainId === undefined ? chains.values() : [chainOf(chainId)]),
    set: async (changes, { movePools = true } = {}) => {
      const table = await tell("prices", prices.set(changes));
      if (movePools) await repegAll(chains.values());
      return table;
    },
  };
}
