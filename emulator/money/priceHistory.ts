import type { Kysely } from "kysely";
import { parseUnits } from "viem";
import * as z from "zod";
import type { Tables } from "../store/tables.ts";
import { defaultPrices, oneUsd, type Priced, usdDigits } from "./prices.ts";

/** Dollars for a whole token, by symbol, as decimal numbers: `{ ETH: "2500" }`. */
export type PriceTable = Readonly<Record<string, string>>;

/** Dollars as a decimal number above zero. */
export const dollarsSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, {
    abort: true,
    error: "a decimal number with at most 12 digits before and 18 behind the point",
  })
  .refine((text) => parseUnits(text, usdDigits) > 0n, "more than zero");

export const priceTableSchema = z.record(z.string(), dollarsSchema);

/** Prices of currencies at each moment of the history. */
export type PriceHistory = {
  /** A currency with its price at a time in unix milliseconds. */
  priced(currency: Pick<Priced, "decimals" | "symbol">, at: number): Priced;
};

/** Stores the price table that applies from a time on. */
export async function recordPrices(database: Kysely<Tables>, at: number, prices: PriceTable): Promise<void> {
  await database
    .insertInto("price_changes")
    .values({ at, prices: JSON.stringify(prices) })
    .execute();
}

/** Reads the prices in force at a time, and all later ones. */
export async function readPriceHistory(database: Kysely<Tables>, since: number): Promise<PriceHistory> {
  const rows = await database
    .selectFrom("price_changes")
    .select(["at", "prices"])
    .where((on) =>
      on(
        "at",
        ">=",
        on
          .selectFrom("price_changes")
          .select((of) => of.fn.coalesce(of.fn.max("at"), of.lit(0)).as("at"))
          .where("at", "<=", since),
      ),
    )
    .orderBy("at")
    .orderBy("seq")
    .execute();
  const tables = rows.map(({ at, prices }) => ({
    at,
    prices: priceTableSchema.parse(JSON.parse(prices)),
  }));
  return {
    priced: ({ decimals, symbol }, at) => {
      const dollars = tables.findLast((each) => each.at <= at)?.prices[symbol];
      const usdPrice =
        dollars === undefined ? (defaultPrices[symbol] ?? oneUsd) : parseUnits(dollars, usdDigits);
      return { decimals, symbol, usdPrice };
    },
  };
}
