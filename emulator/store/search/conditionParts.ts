import type { CodeColumn, Value } from "./Column.ts";
import { byAny, byEitherValues, byMarks, byRange, byRows, byValues } from "./Filter.ts";
import type { Meaning, Part } from "./Part.ts";
import type { RequestIndex } from "./RequestIndex.ts";
import type { Condition, Range } from "./SearchQuery.ts";
import { isOnShapes, shapesPart } from "./shapesPart.ts";

/** Columns in which one of the values may be. */
const partyNames = {
  apiKey: ["api_key_id"],
  depositAddress: ["deposit_address"],
  recipient: ["recipient"],
  referrer: ["referrer"],
  user: ["user", "recipient"],
} as const;

/**
 * Conditions that must all hold, ready to be held against rows.
 *
 * @param shapeGroups Groups of conditions on shapes, of which one must hold whole, too.
 */
export function conditionParts(
  conditions: readonly Condition[],
  index: RequestIndex,
  meaning: Meaning,
  shapeGroups: readonly (readonly Condition[])[] = [[]],
): readonly Part[] {
  const onShapes = conditions.filter(isOnShapes);
  const others = conditions.filter((condition) => !isOnShapes(condition));
  const groups = shapeGroups.map((group) => [...onShapes, ...group]);
  return [
    ...others.map((condition) => conditionPart(condition, index, meaning)),
    ...(groups.every((group) => group.length === 0) ? [] : [shapesPart(groups, index)]),
  ];
}

function conditionPart(condition: Condition, index: RequestIndex, meaning: Meaning): Part {
  const { field, negated, values } = condition;
  const named = namedRows(condition, index, meaning);
  if (named !== undefined) return rowsPart(named, negated, index);
  const parties = partyNames[field as keyof typeof partyNames].map((name) => index.parties[name]);
  const part = valuesPart(parties, values, negated, index);
  if (negated) return part;
  const rows = () => parties.flatMap((party) => values.flatMap((value) => [...party.rowsOf(value)]));
  return { ...part, source: { count: part.expected, rows } };
}

/** A range, ready to be held against rows. */
export function rangePart({ column, from, to }: Range, index: RequestIndex): Part {
  const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
  return {
    // Nothing is known of how values are spread within a zone.
    expected: (index.zonesIn({ column, from, to }).length * index.zoneRows) / 2,
    filter: byRange(index.numbers[column], from ?? NEGATIVE_INFINITY, to ?? POSITIVE_INFINITY),
  };
}

/** A list of features of which a request has one, ready to be held against rows. */
export function featuresPart(features: readonly string[], index: RequestIndex): Part {
  const columns = [...new Set(features)].flatMap((feature) => index.featured(feature) ?? []);
  const filters = columns.map((column) => byMarks(column.marks(index.size)));
  const [only, ...more] = filters;
  const rows = () => columns.flatMap((column) => column.rows);
  const count = columns.reduce((sum, column) => sum + column.rows.length, 0);
  return {
    expected: count,
    isExact: columns.length < 2,
    filter: only !== undefined && more.length === 0 ? only : byAny(filters, index.size),
    source: { count, rows },
  };
}

/** Rows of requests that a condition names one by one; nothing for other conditions. */
function namedRows(
  condition: Condition,
  index: RequestIndex,
  { lookUps, withChildren }: Meaning,
): readonly number[] | undefined {
  const { field, negated, values } = condition;
  const rowsOf = (ids: readonly string[]) =>
    ids.map((id) => index.rowOf(id)).filter((row) => row !== undefined);
  const childrenOf = (ids: readonly string[]) => ids.flatMap((id) => [...index.parties.parent_id.rowsOf(id)]);
  const lookedUp = lookUps.get(condition);
  if (lookedUp !== undefined) return rowsOf(lookedUp);
  const bringsChildren = withChildren && !negated;
  if (field === "id") {
    const ids = values.map(String);
    return bringsChildren ? [...rowsOf(ids), ...childrenOf(ids)] : rowsOf(ids);
  }
  if (field !== "depositAddress" || !bringsChildren) return undefined;
  const rows = values.flatMap((value) => [...index.parties.deposit_address.rowsOf(value)]);
  return [...rows, ...childrenOf(rows.map((row) => index.ids[row] as string))];
}

function rowsPart(rows: readonly number[], negated: boolean, index: RequestIndex): Part {
  const filter = byRows(rows, index.size, negated);
  return negated
    ? // One may be among them twice.
      { expected: Math.max(1, index.size - rows.length), filter }
    : { expected: rows.length, filter, source: { count: rows.length, rows: () => rows } };
}

function valuesPart(
  columns: readonly CodeColumn[],
  values: readonly Value[],
  negated: boolean,
  index: RequestIndex,
): Part {
  const [first, second] = columns as [CodeColumn, CodeColumn?];
  const different = [...new Set(values)];
  const fitting = columns
    .flatMap((column) => different.map((value) => column.countOf(value)))
    .reduce((sum, count) => sum + count, 0);
  // A row may have the value in both columns.
  const isExact = second === undefined;
  return {
    expected: !negated ? fitting : isExact ? index.size - fitting : Math.max(1, index.size - fitting),
    isExact,
    filter:
      second === undefined
        ? byValues(first, values, negated)
        : byEitherValues([first, second], values, negated),
  };
}
