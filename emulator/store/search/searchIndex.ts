import { conditionParts, featuresPart, rangePart } from "./conditionParts.ts";
import { byAll, byAny, type Filter } from "./Filter.ts";
import { FirstPlaces } from "./FirstPlaces.ts";
import type { Meaning, Part } from "./Part.ts";
import { isMet, type RequestIndex } from "./RequestIndex.ts";
import type { Condition, SearchPlace, SearchQuery } from "./SearchQuery.ts";
import { isOnShapes, shapesPart } from "./shapesPart.ts";

/** The first places of an order, and how many requests fit in all where that was asked for. */
export type Found = { readonly places: readonly SearchPlace[]; readonly total: number | undefined };

/** Rows at hand are gathered where they are fewer than this share of all; to pass by the others costs less than to gather more. */
const fewOf = 64;

/**
 * Where so many times the page is likely to fit, the order of worth is followed and soon left. Otherwise nearly all rows are
 * looked at, and that is quicker in the order of age, in which they lie.
 */
const oftenEnough = 8;

/** A query, ready to be held against rows. */
type Plan = {
  readonly filter: Filter;
  /** How many rows fit, where that is known without a look at them. */
  readonly total: number | undefined;
  /** How many rows fit, if what they are asked for has nothing to do with each other. */
  readonly likely: number;
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
 * @param wantsTotal Whether all that fit are counted, wherever the page begins: then every zone is looked at, unless
 * their number is known.
 */
export function searchIndex(
  index: RequestIndex,
  query: SearchQuery,
  { lookUps, wantsTotal }: Pick<Meaning, "lookUps"> & { readonly wantsTotal: boolean },
): Found {
  const first = new FirstPlaces(index, query);
  const plan = planOf(index, query, { lookUps, withChildren: query.withChildren });
  const { few, filter, likely } = plan;
  const counts = wantsTotal && plan.total === undefined;
  let counted = 0;
  const isOften = !counts && likely > query.limit * oftenEnough;
  const blocks =
    few !== undefined
      ? blockOf(few())
      : isOften && query.sort.column === "amount_usd"
        ? magnitudesOf(index, query)
        : zonesOf(index, query);
  for (const { count, high, low, rows } of blocks) {
    const isWorthwhile = first.isWorthwhile(low, high);
    if (!isWorthwhile && !counts) continue;
    const kept = filter(rows, count);
    counted += kept;
    if (isWorthwhile) first.offer(rows, kept);
  }
  return { places: first.places(), total: wantsTotal ? (plan.total ?? counted) : undefined };
}

function planOf(index: RequestIndex, query: SearchQuery, meaning: Meaning): Plan {
  const { conditions, features, groups, ranges } = query;
  // Groups on nothing but shapes are one part with all else that is on shapes, however many there are.
  const areOnShapes = groups.length > 0 && groups.every((group) => group.every(isOnShapes));
  const all = [
    ...conditionParts(conditions, index, meaning, areOnShapes ? groups : undefined),
    ...ranges.map((range) => rangePart(range, index)),
    ...(features.length === 0 ? [] : [featuresPart(features, index)]),
    ...(groups.length === 0 || areOnShapes ? [] : [groupsPart(groups, index, meaning)]),
  ];
  const { expected, filter, source } = allOf(all, index);
  const [only, ...more] = all;
  const isFew = source !== undefined && source.count <= index.size / fewOf;
  return {
    few: expected === 0 ? () => [] : isFew ? source.rows : undefined,
    filter,
    likely: all.reduce((share, part) => (share * part.expected) / index.size, index.size),
    total: only === undefined ? index.size : only.isExact && more.length === 0 ? only.expected : undefined,
  };
}

/** Groups of conditions, of which one must hold whole. */
function groupsPart(groups: readonly (readonly Condition[])[], index: RequestIndex, meaning: Meaning): Part {
  const onShapes = groups.filter((group) => group.every(isOnShapes));
  const others = groups.filter((group) => !group.every(isOnShapes));
  return anyOf(
    [
      ...(onShapes.length === 0 ? [] : [shapesPart(onShapes, index)]),
      ...others.map((group) => allOf(conditionParts(group, index, meaning), index)),
    ],
    index,
  );
}

/** What fits every one of some parts: the one that fits least comes first. */
function allOf(parts: readonly Part[], index: RequestIndex): Part {
  const ordered = [...parts].sort((a, b) => a.expected - b.expected);
  const sources = ordered.flatMap(({ source }) => (source === undefined ? [] : [source]));
  return {
    expected: ordered[0]?.expected ?? index.size,
    filter: byAll(ordered.map(({ filter }) => filter)),
    source: sources.sort((a, b) => a.count - b.count)[0],
  };
}

/** What fits one of some parts. */
function anyOf(parts: readonly Part[], index: RequestIndex): Part {
  const possible = parts.filter(({ expected }) => expected > 0);
  const sources = possible.flatMap(({ source }) => (source === undefined ? [] : [source]));
  const rows = () => sources.flatMap((source) => [...source.rows()]);
  return {
    expected: sumOf(possible.map(({ expected }) => expected)),
    filter: byAny(
      possible.map(({ filter }) => filter),
      index.size,
    ),
    ...(sources.length === possible.length && {
      source: { count: sumOf(sources.map(({ count }) => count)), rows },
    }),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Rows that are at hand, each once. */
function blockOf(few: Iterable<number>): readonly Block[] {
  const rows = Int32Array.from(new Set(few)).sort();
  return [{ count: rows.length, high: Number.POSITIVE_INFINITY, low: Number.NEGATIVE_INFINITY, rows }];
}

/** All rows but those of zones that lie outside of a range, those first that are nearest to the beginning of the order. */
function* zonesOf(index: RequestIndex, { ranges, sort }: SearchQuery): Generator<Block> {
  const { highs, lows } = index.numbers[sort.column];
  const met = ranges.map((range) => new Set(index.zonesIn(range)));
  const zones = lows.map((_, zone) => zone).filter((zone) => met.every((zonesIn) => zonesIn.has(zone)));
  if (sort.direction === "asc") zones.sort((a, b) => (lows[a] as number) - (lows[b] as number));
  else zones.sort((a, b) => (highs[b] as number) - (highs[a] as number));
  const rows = new Int32Array(Math.min(index.zoneRows, index.size));
  for (const zone of zones) {
    const start = zone * index.zoneRows;
    const count = Math.min(index.zoneRows, index.size - start);
    rows.set(index.inOrder(start, count));
    yield { count, high: highs[zone] as number, low: lows[zone] as number, rows };
  }
}

/** All rows but those whose worth lies outside of a range, those first that are nearest to the beginning of the order. */
function* magnitudesOf(index: RequestIndex, { ranges, sort }: SearchQuery): Generator<Block> {
  const magnitudes = index.worth
    .ascending()
    .filter(({ high, low }) =>
      ranges.every((range) => range.column !== "amount_usd" || isMet(range, low, high)),
    );
  const ordered = sort.direction === "asc" ? magnitudes : magnitudes.toReversed();
  const block = new Int32Array(Math.min(index.zoneRows, index.size));
  for (const { high, low, rows } of ordered) {
    for (let start = 0; start < rows.length; start += block.length) {
      const count = Math.min(block.length, rows.length - start);
      copy(rows, start, count, block);
      yield { count, high, low, rows: block };
    }
  }
}

/** Apart from the generator, in which loops are slow. */
function copy(rows: readonly number[], start: number, count: number, into: Int32Array): void {
  for (let i = 0; i < count; i++) into[i] = rows[start + i] as number;
}
