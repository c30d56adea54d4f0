import type { Insertable } from "kysely";
import type { RequestFeature } from "../../../src/schema/request/requestFeature.ts";
import type { NewRequest, StoreTransaction, Tables } from "../../store/tables.ts";

/** Bit of each feature. Bits are stored and never change. */
export const featureBits: Readonly<Record<RequestFeature, number>> = {
  app_fees: 1,
  deposit_address: 2,
  fast_fill: 4,
  fixed_rate: 8,
  gas_top_up: 16,
  gasless_execution: 32,
  gasless_swap: 64,
};

/** The bits of features; a feature without a bit is ignored. */
export function bitsOf(features: readonly string[]): number {
  const bits: Readonly<Record<string, number>> = featureBits;
  return features.reduce((all, feature) => all | (bits[feature] ?? 0), 0);
}

/** Adds the columns that searches use to new rows: the route and the feature bits. */
export async function withSearchFacts(
  transaction: StoreTransaction,
  requests: readonly { readonly row: NewRequest; readonly features: readonly string[] }[],
): Promise<readonly Insertable<Tables["requests"]>[]> {
  const ids = new Map<string, number>();
  const rows: Insertable<Tables["requests"]>[] = [];
  for (const { features, row } of requests) {
    const route = routeOf(row);
    const key = JSON.stringify(route);
    const id = ids.get(key) ?? (await routeIdOf(transaction, route));
    ids.set(key, id);
    rows.push({ ...row, features: bitsOf(features), route_id: id });
  }
  return rows;
}

type Route = Omit<Tables["request_routes"], "id">;

/** The route of a request, with symbols in lower case. */
export function routeOf<Type extends string>(row: Omit<Route, "request_type"> & { request_type: Type }) {
  return {
    currency_in: row.currency_in,
    currency_in_symbol: row.currency_in_symbol.toLowerCase(),
    currency_out: row.currency_out,
    currency_out_symbol: row.currency_out_symbol.toLowerCase(),
    destination_chain_id: row.destination_chain_id,
    origin_chain_id: row.origin_chain_id,
    request_type: row.request_type,
  };
}

/** Finds or adds a route. The transaction excludes other writers, so no route is added twice. */
async function routeIdOf(transaction: StoreTransaction, route: Route): Promise<number> {
  const known = await transaction
    .selectFrom("request_routes")
    .select("id")
    .where((eb) => eb.and(route))
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const added = await transaction
    .insertInto("request_routes")
    .values(route)
    .returning("id")
    .executeTakeFirstOrThrow();
  return added.id;
}
