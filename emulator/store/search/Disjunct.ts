import { sql } from "kysely";
import {
  andSql,
  behindSql,
  conditionSql,
  featureSource,
  featuresSql,
  isIdentityCondition,
  isShapeCondition,
  partyColumnsOf,
  rangeSql,
  type Sql,
  sourcesOf,
} from "./conditionSql.ts";
import type { Condition, Range, SearchQuery } from "./SearchQuery.ts";

/** Rows found by one value of an indexed column, in every order. */
export type Party = { readonly columns: readonly string[]; readonly values: readonly (number | string)[] };

/** Part of a query whose conditions must all hold, cut up by how it can be answered. */
export type Disjunct = {
  /** Everything that must hold for a row `r`. */
  readonly filter: Sql;
  /** Whether there is anything to hold but the shape and the bounds of the order. */
  readonly hasMoreThanShape: boolean;
  /** Bounds of the order's own column, and the place to go on from. */
  readonly bounds: Sql;
  /** Conditions on the shape; none where every shape fits. */
  readonly shape: Sql | undefined;
  /** Names so few rows that they can all be looked at. */
  readonly identity: readonly Sql[] | undefined;
  readonly party: Party | undefined;
  /** Other sets of rows that contain the answer, each found by an index; they may be small. */
  readonly sets: readonly (readonly Sql[])[];
};

/** Cuts a query up: whoever fits one of the parts fits the query. */
export function disjunctsOf(query: SearchQuery): readonly Disjunct[] {
  const { conditions, groups } = query;
  if (groups.length === 0) return [disjunctOf(conditions, query)];
  const isPure = (group: readonly Condition[]) => group.every(isShapeCondition);
  const pure = groups.filter(isPure);
  const others = groups
    .filter((group) => !isPure(group))
    .map((group) => disjunctOf([...conditions, ...group], query));
  // Groups on nothing but shapes are one search, however many there are.
  return pure.length === 0 ? others : [disjunctOf(conditions, query, pure), ...others];
}

function disjunctOf(
  conditions: readonly Condition[],
  query: SearchQuery,
  shapeGroups: readonly (readonly Condition[])[] = [],
): Disjunct {
  const { after, features, ranges, sort, withChildren } = query;
  const asSql = (condition: Condition) => conditionSql(condition, withChildren);
  const onShape = conditions.filter(isShapeCondition);
  const others = conditions.filter((condition) => !isShapeCondition(condition));
  const shape = [
    ...onShape.map(asSql),
    ...(shapeGroups.length === 0
      ? []
      : [
          sql`(${sql.join(
            shapeGroups.map((group) => sql`(${andSql(group.map(asSql))})`),
            sql` or `,
          )})`,
        ]),
  ];
  const ofOrder = ranges.filter(({ column }) => column === sort.column);
  const ofOthers = ranges.filter(({ column }) => column !== sort.column);
  const bounds = [...ofOrder.map(rangeSql), ...(after === undefined ? [] : [behindSql(sort, after)])];
  const more = [
    ...others.map(asSql),
    ...ofOthers.map(rangeSql),
    ...(features.length === 0 ? [] : [featuresSql(features)]),
  ];
  const identity = others.find((condition) => isIdentityCondition(condition, withChildren));
  const parties = others.flatMap((condition) => {
    const columns = partyColumnsOf(condition);
    return columns === undefined ? [] : [{ columns, condition, values: condition.values }];
  });
  // What fewer requests have in common comes first.
  const party = parties.find(({ condition }) => condition.field !== "apiKey") ?? parties[0];
  return {
    bounds: andSql(bounds),
    filter: andSql([...shape, ...bounds, ...more]),
    hasMoreThanShape: more.length > 0,
    identity: identity === undefined ? undefined : sourcesOf(identity, withChildren),
    party,
    sets: [
      ...parties.map(({ condition }) => sourcesOf(condition, withChildren)),
      ...ranges.filter(isSelective).map((range) => [rangeSql(range)]),
      ...(features.length === 0 ? [] : [[featureSource(features)]]),
    ],
    shape: shape.length === 0 ? undefined : andSql(shape),
  };
}

/** Whether an index knows the range: where most requests have nothing, it leaves them out. */
function isSelective({ column, from }: Range): boolean {
  return column !== "app_fees_usd" || (from ?? 0) > 0;
}
