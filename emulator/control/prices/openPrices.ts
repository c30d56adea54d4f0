import { formatUnits, parseUnits } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { type PriceTable, priceTableSchema, recordPrices } from "../../money/priceHistory.ts";
import { defaultPrices, oneUsd, type Usd, usdDigits } from "../../money/prices.ts";
import { openSetting } from "../../store/openSetting.ts";

/** Native currency of each wrapped one, which has the same price. */
const wrapped: Readonly<Record<string, string>> = { WETH: "ETH" };

/** Prices for quotes and records. Pools have prices of their own. */
export type Prices = {
  list(): PriceTable;
  /** Sets prices. @throws ControlRefusedError for an unknown symbol, and for different prices of a currency and its wrapped form. */
  set(prices: PriceTable): Promise<PriceTable>;
};

export type OpenedPrices = Prices & {
  /** Returns the chain with current prices on its currencies. */
  priced<C extends Pick<Chain, "currencies">>(chain: C): C;
  reload(): Promise<void>;
};

/** Opens the prices of a database, as they were last set. */
export async function openPrices({ now, store }: Pick<Context, "now" | "store">): Promise<OpenedPrices> {
  const setting = await openSetting({ initial: {}, key: "prices", schema: priceTableSchema, store });
  let read: PriceTable | undefined;
  let prices: ReadonlyMap<string, Usd> = new Map();
  // Parsed once for each table: quotes read prices often, and the table rarely changes.
  const current = () => {
    const table = setting.get();
    if (table !== read) {
      prices = pricesOf(table);
      read = table;
    }
    return prices;
  };
  const list = () => toTable(current());
  return {
    list,
    priced: (chain) => ({
      ...chain,
      currencies: chain.currencies.map((currency) => ({
        ...currency,
        get usdPrice(): Usd {
          return current().get(currency.symbol) ?? oneUsd;
        },
      })),
    }),
    reload: setting.reload,
    set: async (changes) => {
      const parsed = priceTableSchema.parse(changes);
      const unknown = Object.keys(parsed).find((symbol) => !current().has(symbol));
      if (unknown !== undefined) throw new ControlRefusedError(`There is no currency ${unknown}.`);
      const changed = unwrap(parsed);
      await store.transaction().execute(async (transaction) => {
        const after = await setting.changeIn(transaction, (stored) => ({ ...stored, ...changed }));
        await recordPrices(transaction, now(), toTable(pricesOf(after)));
      });
      await setting.reload();
      return list();
    },
  };
}

/** Default prices, overridden by the table, with wrapped currencies at the price of their native ones. */
function pricesOf(table: PriceTable): ReadonlyMap<string, Usd> {
  const known = new Map([
    ...Object.entries(defaultPrices),
    ...Object.entries(table).map(([symbol, price]) => [symbol, parseUnits(price, usdDigits)] as const),
  ]);
  for (const [symbol, native] of Object.entries(wrapped)) known.set(symbol, known.get(native) ?? oneUsd);
  return known;
}

function toTable(prices: ReadonlyMap<string, Usd>): PriceTable {
  return Object.fromEntries([...prices].map(([symbol, price]) => [symbol, formatUnits(price, usdDigits)]));
}

function unwrap(table: PriceTable): PriceTable {
  const changed = new Map<string, string>();
  for (const [symbol, price] of Object.entries(table)) {
    const native = wrapped[symbol] ?? symbol;
    const other = changed.get(native);
    if (other !== undefined && parseUnits(other, usdDigits) !== parseUnits(price, usdDigits)) {
      throw new ControlRefusedError(
        `${native} and its wrapped form have one price, not ${other} and ${price}.`,
      );
    }
    changed.set(native, price);
  }
  return Object.fromEntries(changed);
}
