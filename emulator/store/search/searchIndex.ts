import { byAll, byAny, type Filter } from "./Filter.ts";
import { FirstPlaces } from "./FirstPlaces.ts";
import { conditionPart, featuresPart, type Meaning, type Part, rangePart } from "./Part.ts";
import type { RequestIndex } from "./RequestIndex.ts";
import type { Condition, Range, SearchPlace, SearchQuery } from "./SearchQuery.ts";

/** The first places of an order, and how many requests fit in all where that was asked for. */
export type Found = { readonly places: readonly SearchPlace[]; readonly total: number | undefined };

/** Rows at hand are gathered where they are fewer than this share of all; to pass by the others costs less than to gather more. */
const fewOf = 64;

/** A query, ready to be held against rows. */
type Plan = {
  readonly filter: Filter;
  /** Every row that fits, and others, where those are few. */
  readonly few: (() => Iterable<number>) | undefined;
};

/** Rows that are looked at together. */
type Block = {
  /** The first `count` of them. */
  readonly rows: Int32Array;
  readonly count: number;
  /** What they have of the order's column is not below. */
  readonly low: number;
  /** Nor above. */
  readonly high: number;
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
  const { few, filter } = planOf(index, query, { lookUps, withChildren: query.withChildren });
  let total = 0;
  for (const { count, high, low, rows } of few === undefined ? zonesOf(index, query) : blockOf(few())) {
    const isWorthwhile = first.isWorthwhile(low, high);
    if (!isWorthwhile && !wantsTotal) continue;
    const kept = filter(rows, count);
    total += kept;
    if (isWorthwhile) first.offer(rows, kept);
  }
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
  return { few: expected <= index.size / fewOf ? rows : undefined, filter };
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

/** Rows that are at hand, each once. */
function blockOf(few: Iterable<number>): readonly Block[] {
  const rows = Int32Array.from(new Set(few)).sort();
  return [{ count: rows.length, high: Number.POSITIVE_INFINITY, low: Number.NEGATIVE_INFINITY, rows }];
}

/** All rows but those of zones that lie outside of a range, those first that are nearest to the beginning of the order. */
function* zonesOf(index: RequestIndex, { ranges, sort }: SearchQuery): Generator<Block> {
  const { highs, lows } = index.numbers[sort.column];
  const zones = lows
    .map((_, zone) => zone)
    .filter((zone) => ranges.every((range) => isMet(index, zone, range)));
  if (sort.direction === "asc") zones.sort((a, b) => (lows[a] as number) - (lows[b] as number));
  else zones.sort((a, b) => (highs[b] as number) - (highs[a] as number));
  const rows = new Int32Array(Math.min(index.zoneRows, index.size));
  for (const zone of zones) {
    const start = zone * index.zoneRows;
    const count = Math.min(index.zoneRows, index.size - start);
    for (let i = 0; i < count; i++) rows[i] = start + i;
    yield { count, high: highs[zone] as number, low: lows[zone] as number, rows };
  }
}

/** Whether a zone may have a row that lies in a range. */
function isMet(index: RequestIndex, zone: number, { column, from, to }: Range): boolean {
  const { highs, lows } = index.numbers[column];
  return (
    (from === undefined || (highs[zone] as number) >= from) &&
    (to === undefined || (lows[zone] as number) <= to)
  );
}
