import { byAll, byAny, type Filter } from "./Filter.ts";
import { FirstPlaces } from "./FirstPlaces.ts";
import { conditionPart, featuresPart, type Meaning, type Part, rangePart } from "./Part.ts";
import type { RequestIndex } from "./RequestIndex.ts";
import type { Condition, SearchPlace, SearchQuery } from "./SearchQuery.ts";

/** The first places of an order, and how many requests fit in all where that was asked for. */
export type Found = { readonly places: readonly SearchPlace[]; readonly total: number | undefined };

/** Rows at hand are looked at one by one where they are fewer than this share of all. */
const fewOf = 4;

/** A query, ready to be held against rows. */
type Plan = {
  readonly filter: Filter;
  /** Every row that fits, and others, where those are few. */
  readonly rows: (() => Iterable<number>) | undefined;
};

/**
 * Searches the index. Where the query names something that few requests have, only those are looked at; otherwise all are,
 * zone by zone in the order that is asked for, until no zone is left that could have one of the first places.
 *
 * @param wantsTotal Whether all that fit are counted, wherever the page begins: then every zone is looked at.
 */
export function searchIndex(
  index: RequestIndex,
  query: SearchQuery,
  { lookUps, wantsTotal }: Pick<Meaning, "lookUps"> & { readonly wantsTotal: boolean },
): Found {
  const first = new FirstPlaces(index, query);
  const { filter, rows } = planOf(index, query, { lookUps, withChildren: query.withChildren });
  let total = 0;
  const look = (block: Int32Array, count: number) => {
    const kept = filter(block, count);
    total += kept;
    first.offer(block, kept);
  };
  if (rows !== undefined) lookAtRows(rows(), look);
  else lookAtZones(index, query, (low, high) => wantsTotal || first.isWorthwhile(low, high), look);
  return { places: first.places(), total: wantsTotal ? total : undefined };
}

function planOf(index: RequestIndex, query: SearchQuery, meaning: Meaning): Plan {
  const { conditions, features, groups, ranges } = query;
  const partOf = (condition: Condition) => conditionPart(condition, index, meaning);
  const all = [
    ...conditions.map(partOf),
    ...ranges.map((range) => rangePart(range, index)),
    ...(features.length === 0 ? [] : [featuresPart(features, index)]),
  ];
  if (groups.length > 0)
    all.push(
      anyOf(
        groups.map((group) => allOf(group.map(partOf), index)),
        index,
      ),
    );
  const { expected, filter, rows } = allOf(all, index);
  return { filter, rows: expected < index.size / fewOf ? rows : undefined };
}

/** What fits every one of some parts: the one that fits least comes first, and tells how many they are at most. */
function allOf(parts: readonly Part[], index: RequestIndex): Part {
  const ordered = [...parts].sort((a, b) => a.expected - b.expected);
  const least = ordered.find(({ rows }) => rows !== undefined);
  return {
    expected: least?.expected ?? index.size,
    filter: byAll(ordered.map(({ filter }) => filter)),
    rows: least?.rows,
  };
}

/** What fits one of some parts. */
function anyOf(parts: readonly Part[], index: RequestIndex): Part {
  const sources = parts.flatMap(({ rows }) => (rows === undefined ? [] : [rows]));
  return {
    expected: Math.min(
      index.size,
      parts.reduce((sum, { expected }) => sum + expected, 0),
    ),
    filter: byAny(
      parts.map(({ filter }) => filter),
      index.size,
    ),
    rows: sources.length < parts.length ? undefined : () => sources.flatMap((rows) => [...rows()]),
  };
}

function lookAtRows(rows: Iterable<number>, look: (block: Int32Array, count: number) => void): void {
  const block = Int32Array.from(new Set(rows)).sort();
  look(block, block.length);
}

/** Looks at zones, those first that are nearest to the beginning of the order. */
function lookAtZones(
  index: RequestIndex,
  { ranges, sort }: SearchQuery,
  isWorthwhile: (low: number, high: number) => boolean,
  look: (block: Int32Array, count: number) => void,
): void {
  const { lows, highs } = index.numbers[sort.column];
  const canFit = (zone: number) =>
    ranges.every(({ column, from, to }) => {
      const numbers = index.numbers[column];
      const isAbove = from !== undefined && (numbers.highs[zone] as number) < from;
      const isBelow = to !== undefined && (numbers.lows[zone] as number) > to;
      return !isAbove && !isBelow;
    });
  const zones = lows.map((_, zone) => zone).filter(canFit);
  if (sort.direction === "asc") zones.sort((a, b) => (lows[a] as number) - (lows[b] as number));
  else zones.sort((a, b) => (highs[b] as number) - (highs[a] as number));
  const block = new Int32Array(Math.min(index.zoneRows, index.size));
  for (const zone of zones) {
    if (!isWorthwhile(lows[zone] as number, highs[zone] as number)) continue;
    const start = zone * index.zoneRows;
    const count = Math.min(index.zoneRows, index.size - start);
    for (let i = 0; i < count; i++) block[i] = start + i;
    look(block, count);
  }
}
