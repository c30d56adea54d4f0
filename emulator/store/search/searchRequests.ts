import { sql } from "kysely";
import type { Store } from "../openStore.ts";
import { andSql, type Sql } from "./conditionSql.ts";
import { type Disjunct, disjunctsOf } from "./Disjunct.ts";
import type { SearchPlace, SearchQuery, SearchSort } from "./SearchQuery.ts";
import {
  keySql,
  lookAtAll,
  mergeRanges,
  type Search,
  shapesThatFit,
  sizesOf,
  walk,
  walkShort,
} from "./statements.ts";

/** How much each try may cost. */
export type SearchLimits = {
  /** Rows that the first walk may look at. */
  readonly shortSteps: number;
  /** Rows that the second one may look at. */
  readonly longSteps: number;
  /** Sets with fewer rows are looked at as a whole: before the second walk, and after it. */
  readonly smallSets: readonly [number, number];
  /** Shapes whose ranges are merged; more of them cover so much that walking is cheaper. */
  readonly mostShapes: number;
};

const defaultLimits: SearchLimits = {
  longSteps: 6_000,
  mostShapes: 400,
  shortSteps: 1_000,
  smallSets: [2_000, 20_000],
};

/**
 * Finds the first requests of an order that fit.
 *
 * Databases guess how many rows two conditions have in common, and walk a million rows when they guess wrong. Here no
 * guess decides: cheap tries with a limit on what they cost come first, and what they find out chooses the next.
 *
 * @param isCount Whether any that fit will do, in whatever order.
 * @returns Ids and places in the order that was asked for.
 */
export async function searchRequests(
  store: Store,
  query: SearchQuery,
  { isCount = false, limits = defaultLimits }: { isCount?: boolean; limits?: SearchLimits } = {},
): Promise<readonly SearchPlace[]> {
  const { limit, sort } = query;
  const search: LimitedSearch = { isCount, limit, limits, sort, store };
  const found: SearchPlace[] = [];
  for (const disjunct of disjunctsOf(query)) found.push(...(await searchDisjunct(disjunct, search)));
  return firstOf(found, sort, limit);
}

type LimitedSearch = Search & { readonly limits: SearchLimits };

/** Different places, in order. */
function firstOf(places: readonly SearchPlace[], { direction }: SearchSort, limit: number): SearchPlace[] {
  const sign = direction === "asc" ? 1 : -1;
  const byId = new Map(places.map((place) => [place.id, place]));
  return [...byId.values()]
    .sort((a, b) => sign * (a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)))
    .slice(0, limit);
}

async function searchDisjunct(disjunct: Disjunct, search: LimitedSearch): Promise<readonly SearchPlace[]> {
  const { bounds, filter, hasMoreThanShape, identity, party, shape } = disjunct;
  const { limits } = search;
  if (identity !== undefined) return lookAtAll(identity, filter, search);
  if (shape === undefined && !hasMoreThanShape) return walk(bounds, search);

  const shapes = shape === undefined ? undefined : await shapesThatFit(shape, limits.mostShapes + 1, search);
  if (shapes?.length === 0) return [];
  if (party !== undefined) return searchParty(party, disjunct, shapes, search);

  const short = await walkShort(bounds, filter, limits.shortSteps, search);
  if (short.isComplete) return short.places;
  const isFew = shapes !== undefined && shapes.length <= limits.mostShapes;
  if (isFew && !hasMoreThanShape) return mergeRanges("shape", shapes, filter, search);
  return searchWidely(disjunct, bounds, isFew ? shapes : undefined, search);
}

/** What belongs to somebody: few rows for most, and very many for a few. */
async function searchParty(
  party: NonNullable<Disjunct["party"]>,
  disjunct: Disjunct,
  shapes: readonly string[] | undefined,
  search: LimitedSearch,
): Promise<readonly SearchPlace[]> {
  const { bounds, filter } = disjunct;
  const { limits } = search;
  const found: SearchPlace[] = [];
  for (const column of party.columns) {
    const [value, ...others] = party.values;
    if (value === undefined) continue;
    if (others.length > 0) {
      found.push(...(await mergeRanges(column, party.values, filter, search)));
      continue;
    }
    const among = andSql([sql`${keySql(column)} = ${value}`, bounds]);
    const short = await walkShort(among, filter, limits.shortSteps, search);
    if (short.isComplete) found.push(...short.places);
    else found.push(...(await searchWidely(disjunct, among, shapes, search, column, value)));
  }
  return firstOf(found, search.sort, search.limit);
}

/** When what is near does not fit. Tries are in the order of what they cost at most. */
async function searchWidely(
  disjunct: Disjunct,
  among: Sql,
  shapes: readonly string[] | undefined,
  search: LimitedSearch,
  column?: string,
  value?: number | string,
): Promise<readonly SearchPlace[]> {
  const { filter, sets } = disjunct;
  const { limits } = search;
  const own = column === undefined ? sql`1 = 1` : sql`${keySql(column)} = ${value}`;
  const all = andSql([own, filter]);
  for (const largest of limits.smallSets) {
    const smallest = await smallestOf(sets, largest, search);
    if (smallest !== undefined) return lookAtAll(smallest, all, search);
    const isLong = largest !== limits.smallSets[0];
    if (isLong) break;
    const long = await walkShort(among, filter, limits.longSteps, search);
    if (long.isComplete) return long.places;
  }
  if (shapes !== undefined && shapes.length <= limits.mostShapes)
    return mergeRanges("shape", shapes, all, search);
  return walk(all, search);
}

/** The smallest of some sets, if one has fewer rows than a limit. */
async function smallestOf(
  sets: readonly (readonly Sql[])[],
  limit: number,
  search: LimitedSearch,
): Promise<readonly Sql[] | undefined> {
  const sizes = await sizesOf(sets, limit, search);
  const least = Math.min(...sizes);
  return least < limit ? sets[sizes.indexOf(least)] : undefined;
}
