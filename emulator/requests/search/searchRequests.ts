import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Store } from "../../store/tables.ts";
import {
  allOf,
  anyOf,
  buildPredicates,
  featuresPredicate,
  type Predicate,
  rangePredicate,
  type Source,
} from "./columnPredicates.ts";
import type { SearchPlace, SearchQuery, SortColumn } from "./SearchQuery.ts";

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
    total: wantsTotal ? await countRequests(store, branches) : undefined,
  };
}

async function partsOf(store: Store, query: SearchQuery): Promise<Parts> {
  const { conditions, features, groups, ranges, withChildren } = query;
  return {
    all: [
      ...(await buildPredicates(store, conditions, { withChildren })),
      ...ranges.map((range) => rangePredicate(store, range)),
      ...(features.length === 0 ? [] : [featuresPredicate(store, features)]),
    ],
    groups: await Promise.all(
      groups.map((group) => buildPredicates(store, group, { outer: conditions, withChildren })),
    ),
  };
}

async function placesOf(
  store: Store,
  query: SearchQuery,
  branches: readonly Branch[],
): Promise<readonly SearchPlace[]> {
  const selects = branches.map((branch) => sql`select * from (${readPage(query, branch)}) as branch`);
  if (selects.length === 0) return [];
  const direction = sql.raw(query.sort.direction);
  const { rows } = await sql<SearchPlace>`
    ${sql.join(selects, sql` union `)}
    order by value ${direction}, id ${direction} limit ${query.limit}`.execute(store);
  return rows;
}

/** The first places of a branch. An index in the sort order is read only up to the last of them. */
function readPage({ after, limit, sort }: SearchQuery, { isOrdered, where }: Branch): RawBuilder<unknown> {
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

async function countRequests(store: Store, branches: readonly Branch[]): Promise<number> {
  if (branches.length === 0) return 0;
  const where = anyOf(branches.map((branch) => allOf(branch.where)));
  const { rows } = await sql<{
    total: number;
  }>`select count(*) as total from requests where ${where}`.execute(store);
  return Number(rows[0]?.total);
}

/** A search in SQL: every predicate of `all` must hold and, if there are groups, every predicate of at least one. */
type Parts = {
  readonly all: readonly Predicate[];
  readonly groups: readonly (readonly Predicate[])[];
};

/** Requests found by one index. The branches together contain every match, some of them twice. */
type Branch = {
  /** All must hold. */
  readonly where: readonly RawBuilder<SqlBool>[];
  /** Whether its index gives the order of the listing. */
  readonly isOrdered: boolean;
};

/** A predicate whose rows are gathered, and the filters on them. */
type Way = { readonly predicate: Predicate; readonly rest: readonly RawBuilder<SqlBool>[] };

/** Entries of a wide index that are read in the time of one row. */
const entriesPerRow = 10;

/**
 * Chooses the indexes of a search. Matches of a selective predicate are gathered and sorted. Without one, the index of the
 * sort order is followed until the page is full. Planners of databases misjudge correlated conditions and may gather a
 * million rows. Matches are therefore counted up to a limit, in a millisecond.
 */
async function chooseBranches(
  store: Store,
  parts: Parts,
  { fewRows, sort }: { readonly fewRows: number; readonly sort: SortColumn },
): Promise<readonly Branch[]> {
  const { all } = parts;
  const groups = parts.groups.filter((group) => group.every(isPossible));
  if (!all.every(isPossible) || groups.length < Math.min(1, parts.groups.length)) return [];
  const oneGroup = groups.length === 0 ? [] : [anyOf(groups.map((group) => allOf(filtersOf(group))))];
  const ways = all.map((predicate) => ({ predicate, rest: [...filtersOf(all, predicate), ...oneGroup] }));
  const waysByGroup = groups.map((group) =>
    group.map((predicate) => ({ predicate, rest: [...filtersOf(all), ...filtersOf(group, predicate)] })),
  );
  const sure = ways.find(isAlwaysFew);
  if (sure !== undefined) return branchesOf(sure, sort);
  const [only, another] = ways;
  const isAlone = another === undefined && groups.length === 0;
  if (only !== undefined && isAlone && isInOrder(only.predicate, sort)) return branchesOf(only, sort);
  const costs = await estimateCosts(store, [...ways, ...waysByGroup.flat()], fewRows);
  const cheapest = (some: readonly Way[]) => some.toSorted((a, b) => costs(a) - costs(b)).slice(0, 1);
  const single = cheapest(ways);
  const perGroup = waysByGroup.flatMap(cheapest);
  const best = costs(...perGroup) < costs(...single) ? perGroup : single;
  if (costs(...best) <= fewRows) return best.flatMap((way) => branchesOf(way, sort));
  const ordered = ways.find(({ predicate }) => isInOrder(predicate, sort));
  if (ordered !== undefined) return branchesOf(ordered, sort);
  return [{ isOrdered: true, where: [...filtersOf(all), ...oneGroup] }];
}

function isPossible({ sources }: Predicate): boolean {
  return sources?.length !== 0;
}

function isAlwaysFew({ predicate }: Way): boolean {
  return predicate.sources?.every((source) => source.isAlwaysFew === true) ?? false;
}

function isInOrder({ sources }: Predicate, sort: SortColumn): boolean {
  return sources?.every(({ order }) => order === sort) ?? false;
}

function branchesOf({ predicate, rest }: Way, sort: SortColumn): readonly Branch[] {
  const { sources = [] } = predicate;
  return sources.map(({ order, where }) => ({ isOrdered: order === sort, where: [where, ...rest] }));
}

function filtersOf(predicates: readonly Predicate[], but?: Predicate): readonly RawBuilder<SqlBool>[] {
  return predicates.filter((predicate) => predicate !== but).map(({ filter }) => filter);
}

/** Cost of ways in rows read; infinite without an index, and without a way. */
async function estimateCosts(
  store: Store,
  ways: readonly Way[],
  fewRows: number,
): Promise<(...some: readonly Way[]) => number> {
  const sources = new Set(ways.flatMap(({ predicate }) => predicate.sources ?? []));
  const matches = await countMatches(store, [...sources], fewRows);
  const ofSource = (source: Source) =>
    (matches.get(source) ?? 0) / (source.isWide === true ? entriesPerRow : 1);
  const ofWay = ({ predicate }: Way) =>
    predicate.sources === undefined ? Number.POSITIVE_INFINITY : sumOf(predicate.sources.map(ofSource));
  return (...some) => (some.length === 0 ? Number.POSITIVE_INFINITY : sumOf(some.map(ofWay)));
}

/** Number of rows of each source, counted to just above the limit of few rows. */
async function countMatches(
  store: Store,
  sources: readonly Source[],
  fewRows: number,
): Promise<ReadonlyMap<Source, number>> {
  const unsure = sources.filter(({ isAlwaysFew }) => isAlwaysFew !== true);
  if (unsure.length === 0) return new Map();
  const counts = unsure.map(({ isWide, where }, place) => {
    const limit = fewRows * (isWide === true ? entriesPerRow : 1) + 1;
    const matches = sql`select 1 as one from requests where ${where} limit ${limit}`;
    return sql`(select count(*) from (${matches}) as matches) as ${sql.ref(`c${place}`)}`;
  });
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(store);
  return new Map(unsure.map((source, place) => [source, rows[0]?.[`c${place}`] ?? 0]));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
