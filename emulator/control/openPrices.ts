import { formatUnits, parseUnits } from "viem";
import * as z from "zod";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { defaultPrices, oneUsd, type Usd } from "../quote/prices.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";
import { ControlRefusedError } from "./ControlRefusedError.ts";

const usdDigits = 18;

/** Dollars for a whole token, by symbol, as decimal numbers: `{ ETH: "2500" }`. */
export type PriceTable = Readonly<Record<string, string>>;

/** The prices that quotes and records are made with. Pools have prices of their own. */
export type Prices = {
  list(): PriceTable;
  /** @throws ControlRefusedError for a symbol that no chain has. */
  set(prices: PriceTable): Promise<PriceTable>;
};

export type OpenedPrices = Prices & {
  /** The chain with currencies that always know their price. */
  priced<C extends Pick<Chain, "currencies">>(chain: C): C;
  reload(): Promise<void>;
};

/** Dollars as a decimal number above zero. */
export const dollarsSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, {
    abort: true,
    error: "a decimal number with at most 12 digits before and 18 behind the point",
  })
  .refine((text) => parseUnits(text, usdDigits) > 0n, "more than zero");

export const priceTableSchema = z.record(z.string(), dollarsSchema);

const settingKey = "prices";

/** Opens the prices of a database: those that were set stay so. */
export async function openPrices({ store }: Pick<Context, "store">): Promise<OpenedPrices> {
  let prices = new Map<string, Usd>();
  const list = () =>
    Object.fromEntries([...prices].map(([symbol, price]) => [symbol, formatUnits(price, usdDigits)]));
  const reload = async () => {
    const stored = (await loadSetting(store, settingKey, priceTableSchema)) ?? {};
    prices = new Map([
      ...Object.entries(defaultPrices),
      ...Object.entries(stored).map(([symbol, price]) => [symbol, parseUnits(price, usdDigits)] as const),
    ]);
  };
  await reload();
  return {
    list,
    priced: (chain) => ({
      ...chain,
      currencies: chain.currencies.map((currency) => ({
        ...currency,
        get usdPrice(): Usd {
          return prices.get(currency.symbol) ?? oneUsd;
        },
      })),
    }),
    reload,
    set: async (changes) => {
      const parsed = priceTableSchema.parse(changes);
      const unknown = Object.keys(parsed).find((symbol) => !prices.has(symbol));
      if (unknown !== undefined) throw new ControlRefusedError(`There is no currency ${unknown}.`);
      for (const [symbol, price] of Object.entries(parsed)) prices.set(symbol, parseUnits(price, usdDigits));
      await saveSetting(store, settingKey, list());
      return list();
    },
  };
}
