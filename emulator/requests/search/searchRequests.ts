import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Store } from "../../store/openStore.ts";
import { type Branch, chooseBranches, type Parts } from "./chooseBranches.ts";
import { featuresPredicate, rangePredicate } from "./columnPredicates.ts";
import { allOf, anyOf } from "./Predicate.ts";
import { predicatesOf } from "./predicatesOf.ts";
import type { SearchPlace, SearchQuery } from "./SearchQuery.ts";

/** The first places of an order, and how many requests match in all where that was asked for. */
type Found = { readonly places: readonly SearchPlace[]; readonly total: number | undefined };

type SearchOptions = {
  readonly fewRows?: number | undefined;
  readonly wantsTotal?: boolean | undefined;
};

/** SQLite reads them in 25 milliseconds. */
const usuallyFewRows = 5_000;

/**
 * Finds the first requests of an order that match.
 *
 * @param fewRows So many rows are gathered and sorted rather than found on a walk along the order.
 * @param wantsTotal Whether all matches are counted, too, wherever the page begins.
 * @returns Ids and places in the order that was asked for.
 */
export async function searchRequests(
  store: Store,
  query: SearchQuery,
  { fewRows = usuallyFewRows, wantsTotal = false }: SearchOptions = {},
): Promise<Found> {
  const parts = await partsOf(store, query);
  const branches = await chooseBranches(store, parts, { fewRows, sort: query.sort.column });
  return {
    places: await placesOf(store, query, branches),
    total: wantsTotal ? await totalOf(store, branches) : undefined,
  };
}

async function partsOf(store: Store, query: SearchQuery): Promise<Parts> {
  const { conditions, features, groups, ranges, withChildren } = query;
  return {
    all: [
      ...(await predicatesOf(store, conditions, { withChildren })),
      ...ranges.map((range) => rangePredicate(store, range)),
      ...(features.length === 0 ? [] : [featuresPredicate(store, features)]),
    ],
    groups: await Promise.all(
      groups.map((group) => predicatesOf(store, group, { outer: conditions, withChildren })),
    ),
  };
}

async function placesOf(
  store: Store,
  query: SearchQuery,
  branches: readonly Branch[],
): Promise<readonly SearchPlace[]> {
  const selects = branches.map((branch) => sql`select * from (${pageOf(query, branch)}) as branch`);
  if (selects.length === 0) return [];
  const direction = sql.raw(query.sort.direction);
  const { rows } = await sql<SearchPlace>`
    ${sql.join(selects, sql` union `)}
    order by value ${direction}, id ${direction} limit ${query.limit}`.execute(store);
  return rows;
}

/** The first places of a branch. Where an index has the order, it is left with the last of them. */
function pageOf({ after, limit, sort }: SearchQuery, { isOrdered, where }: Branch): RawBuilder<unknown> {
  const column = sql.ref(`requests.${sort.column}`);
  // No index has the order of a sum: databases gather and sort.
  const value = isOrdered ? column : sql`(${column} + 0)`;
  const direction = sql.raw(sort.direction);
  const further = sql.raw(sort.direction === "asc" ? ">" : "<");
  const behind =
    after === undefined
      ? []
      : [sql<SqlBool>`(${value}, requests.id) ${further} (${after.value}, ${after.id})`];
  return sql`select requests.id, ${column} as value from requests where ${allOf([...where, ...behind])}
    order by ${value} ${direction}, requests.id ${direction} limit ${limit}`;
}

async function totalOf(store: Store, branches: readonly Branch[]): Promise<number> {
  if (branches.length === 0) return 0;
  const where = anyOf(branches.map((branch) => allOf(branch.where)));
  const { rows } = await sql<{
    total: number;
  }>`select count(*) as total from requests where ${where}`.execute(store);
  return Number(rows[0]?.total);
}
