import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Store } from "../../store/tables.ts";
import { type Branch, chooseBranches, type Parts } from "./chooseBranches.ts";
import { allOf, anyOf, featuresPredicate, rangePredicate } from "./columnPredicates.ts";
import { predicatesOf } from "./predicatesOf.ts";
import type { SearchPlace, SearchQuery } from "./SearchQuery.ts";

/** The first places of the sort order, and the number of all matches if requested. */
type Found = { readonly places: readonly SearchPlace[]; readonly total: number | undefined };

type SearchOptions = {
  readonly fewRows?: number | undefined;
  readonly wantsTotal?: boolean | undefined;
};

/** Default of `fewRows`: SQLite reads this many in 25 milliseconds. */
const usuallyFewRows = 5_000;

/**
 * Finds the first matching requests in the sort order.
 *
 * @param fewRows Maximum number of rows to gather and sort; more are read along the index of the order.
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

/** The first places of a branch. An index in the sort order is read only up to the last of them. */
function pageOf({ after, limit, sort }: SearchQuery, { isOrdered, where }: Branch): RawBuilder<unknown> {
  const column = sql.ref(`requests.${sort.column}`);
  // A sum has no index, so the database gathers and sorts.
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
