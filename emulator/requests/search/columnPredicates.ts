import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { Store, Tables } from "../../store/tables.ts";
import type { Condition, Range, RangeColumn, SearchField } from "./SearchQuery.ts";
import { bitsOf, featureBits } from "./searchFacts.ts";

type Column = keyof Tables["requests"];
type Values = Condition["values"];

/** Columns with a unique value for each request. */
const unique: readonly Column[] = ["id", "order_id"];
/** Columns whose indexes continue with the time of creation. */
const byAge: readonly Column[] = ["api_key_id", "recipient", "referrer", "user"];
/** Columns that are null without a failure; the listing shows null as `N/A`. */
const reasons: readonly Column[] = ["fail_reason", "refund_fail_reason"];
/** Statuses that the index on statuses leaves out; see `searchIndexes`. */
const usualStatuses: Values = ["success", "waiting"];

/** At least one of the columns has one of the values. */
function columnPredicate(store: Store, columns: readonly Column[], values: Values): Predicate {
  if (values.length === 0) return never;
  return {
    filter: anyOf(columns.map((column) => isIn(filtered(store, column), column, values))),
    sources: columns.every((column) => isIndexed(column, values))
      ? columns.map((column) => sourceOf(column, values))
      : undefined,
  };
}

/** The negation of a predicate. It has no index. */
function negate(predicate: Predicate): Predicate {
  // A comparison with null is null, and the negation matches it.
  return predicate === never ? always : { filter: sql`${predicate.filter} is not true` };
}

/** Requests of an id or deposit address, with their duplicates, retries and refunds. */
function familyPredicate(store: Store, column: "id" | "deposit_address", values: Values): Predicate {
  const parents =
    column === "id"
      ? sql`(${sql.join(values)})`
      : sql`(select id from requests as parents where ${isIn(sql.ref("parents.deposit_address"), column, values)})`;
  const child = sql<SqlBool>`requests.parent_id in ${parents}`;
  return {
    filter: anyOf([
      isIn(filtered(store, column), column, values),
      sql`${filtered(store, "parent_id")} in ${parents}`,
    ]),
    sources: [sourceOf(column, values), { isAlwaysFew: true, where: child }],
  };
}

/** A range, both ends included. */
export function rangePredicate(store: Store, { column, from, to }: Range): Predicate {
  if (from !== undefined && to !== undefined && from > to) return never;
  const within = (value: RawBuilder<unknown>) => [
    ...(from === undefined ? [] : [sql<SqlBool>`${value} >= ${from}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${value} <= ${to}`]),
  ];
  const filter = allOf(within(filtered(store, column)));
  const where = within(sql.ref(`requests.${column}`));
  if (column !== "app_fees_usd") return { filter, sources: [{ order: column, where: allOf(where) }] };
  // The index on app fees leaves out requests without any.
  if (from === undefined || from <= 0) return { filter };
  return { filter, sources: [{ isWide: true, where: allOf([sql`requests.app_fees_usd > 0`, ...where]) }] };
}

/** Requests with at least one of some features. */
export function featuresPredicate(store: Store, features: readonly string[]): Predicate {
  const wanted = bitsOf(features);
  const every = bitsOf(Object.keys(featureBits));
  const combinations = Array.from({ length: every }, (_, index) => index + 1);
  const fitting = combinations.filter((bits) => (bits & wanted) !== 0);
  const where = sql<SqlBool>`requests.features > 0 and requests.features in (${sql.join(fitting)})`;
  return {
    filter: sql`(${filtered(store, "features")} & ${wanted}) <> 0`,
    sources: [{ isWide: true, where }],
  };
}

/** The partial indexes on statuses and reasons omit the most frequent values. */
function isIndexed(column: Column, values: Values): boolean {
  if (column === "status") return !values.some((value) => usualStatuses.includes(value));
  return !(reasons.includes(column) && values.includes("N/A"));
}

function sourceOf(column: Column, values: Values): Source {
  const where = isIn(sql.ref(`requests.${column}`), column, values);
  if (unique.includes(column)) return { isAlwaysFew: true, where };
  // SQLite uses a partial index only if the query repeats its condition literally.
  if (column === "status") {
    return { isWide: true, where: allOf([sql`requests.status not in ('success', 'waiting')`, where]) };
  }
  const order = byAge.includes(column) && values.length === 1 ? "created_at" : undefined;
  return { isWide: reasons.includes(column), order, where };
}

function isIn(reference: RawBuilder<unknown>, column: Column, values: Values): Sql {
  if (!reasons.includes(column) || !values.includes("N/A")) {
    return sql`${reference} in (${sql.join(values)})`;
  }
  const others = values.filter((value) => value !== "N/A");
  const none = sql<SqlBool>`${reference} is null`;
  return others.length === 0 ? none : anyOf([none, sql`${reference} in (${sql.join(others)})`]);
}

/** A condition in SQL. */
type Sql = RawBuilder<SqlBool>;

/** A part of a search in SQL. */
export type Predicate = {
  /** Filters rows that another index found. */
  readonly filter: Sql;
  /** Conditions of which one must hold, each with an index. Empty where no request matches; absent without an index. */
  readonly sources?: readonly Source[] | undefined;
};

/** A condition that an index answers. */
export type Source = {
  readonly where: Sql;
  readonly isAlwaysFew?: boolean | undefined;
  /** Whether the index covers the usual sort and filter columns, so that no rows are read. */
  readonly isWide?: boolean | undefined;
  /** Column whose order the index gives to the matches. */
  readonly order?: RangeColumn | undefined;
};

const always: Predicate = { filter: sql<SqlBool>`1 = 1` };
const never: Predicate = { filter: sql<SqlBool>`1 = 0`, sources: [] };

export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? always.filter : sql`(${sql.join(parts, sql` and `)})`;
}

export function anyOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? never.filter : sql`(${sql.join(parts, sql` or `)})`;
}

/**
 * A column of requests in a filter. PostgreSQL chooses its index by statistics. SQLite has none and may choose an
 * unselective index: a unary plus restricts it to the index of the source or the order.
 */
function filtered(store: Store, column: keyof Tables["requests"]): Sql {
  const reference = sql<SqlBool>`${sql.ref(`requests.${column}`)}`;
  return isPostgres(store) ? reference : sql`+${reference}`;
}

const columnsOf: Readonly<Partial<Record<SearchField, readonly (keyof Tables["requests"])[]>>> = {
  apiKey: ["api_key_id"],
  depositAddress: ["deposit_address"],
  failReason: ["fail_reason"],
  id: ["id"],
  orderId: ["order_id"],
  recipient: ["recipient"],
  referrer: ["referrer"],
  refundFailReason: ["refund_fail_reason"],
  status: ["status"],
  user: ["user", "recipient"],
};

/** Kinds of transactions that a condition names. */
const hashKinds: Readonly<Partial<Record<SearchField, readonly string[]>>> = {
  depositTxHash: ["deposit"],
  fillTxHash: ["fill"],
  refundTxHash: ["refund"],
  txHash: ["deposit", "fill", "refund"],
};

/**
 * Converts conditions that must all hold to SQL. Conditions on routes become one predicate. Transactions and routes are
 * looked up first, so that an index finds their requests.
 */
export async function buildPredicates(
  store: Store,
  conditions: readonly Condition[],
  { outer = [], withChildren }: { readonly outer?: readonly Condition[]; readonly withChildren: boolean },
): Promise<readonly Predicate[]> {
  const onRoutes = conditions.filter(isOnRoutes);
  const others = conditions.filter((condition) => !isOnRoutes(condition));
  return Promise.all([
    ...others.map((condition) => buildPredicate(store, condition, withChildren)),
    ...(onRoutes.length === 0 ? [] : [routesPredicate(store, [...onRoutes, ...outer.filter(isOnRoutes)])]),
  ]);
}

async function buildPredicate(store: Store, condition: Condition, withChildren: boolean): Promise<Predicate> {
  const { field, negated, values } = condition;
  if (withChildren && !negated) {
    if (field === "id") return familyPredicate(store, "id", values);
    if (field === "depositAddress") return familyPredicate(store, "deposit_address", values);
  }
  const kinds = hashKinds[field];
  const predicate =
    kinds === undefined
      ? columnPredicate(store, columnsOf[field] ?? [], values)
      : columnPredicate(store, ["id"], await idsOf(store, values, kinds));
  return negated ? negate(predicate) : predicate;
}

/** Requests of some transactions. Those of the solver count before they are mined, unless a cancel replaced them. */
async function idsOf(
  store: Store,
  hashes: Condition["values"],
  kinds: readonly string[],
): Promise<readonly string[]> {
  const named = sql`hash in (${sql.join(hashes)}) and kind in (${sql.join(kinds)})`;
  const { rows } = await sql<{ id: string }>`
    select request_id as id from request_hashes where ${named}
    union select request_id from transactions
      where ${named} and (replaced_by is null or state = 'mined')`.execute(store);
  return rows.map(({ id }) => id);
}

async function routesPredicate(store: Store, conditions: readonly Condition[]): Promise<Predicate> {
  const ids = await findRoutes(store, conditions);
  if (ids.length === 0) return never;
  // As one parameter: there may be thousands.
  const isAmong = (column: Sql) =>
    isPostgres(store)
      ? sql<SqlBool>`${column} = any(${`{${ids.join()}}`}::bigint[])`
      : sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(ids)}))`;
  return {
    filter: isAmong(filtered(store, "route_id")),
    sources: [{ where: isAmong(sql.ref("requests.route_id")) }],
  };
}

/** Route columns that a condition compares; of two columns, either may match. */
const routeColumns: Readonly<Partial<Record<SearchField, readonly (keyof Tables["request_routes"])[]>>> = {
  chainId: ["origin_chain_id", "destination_chain_id"],
  currencyInAddress: ["currency_in"],
  currencyInChainId: ["origin_chain_id"],
  currencyInSymbol: ["currency_in_symbol"],
  currencyOutAddress: ["currency_out"],
  currencyOutChainId: ["destination_chain_id"],
  currencyOutSymbol: ["currency_out_symbol"],
  destinationChainId: ["destination_chain_id"],
  originChainId: ["origin_chain_id"],
  requestType: ["request_type"],
};

/** Whether a condition depends on the route alone. */
function isOnRoutes({ field }: Condition): boolean {
  return routeColumns[field] !== undefined;
}

async function findRoutes(store: Store, conditions: readonly Condition[]): Promise<readonly number[]> {
  const rows = await store
    .selectFrom("request_routes")
    .select("id")
    .where((eb) =>
      eb.and(
        conditions.map(({ field, negated, values }) => {
          const wanted = field.endsWith("Symbol")
            ? values.map((value) => String(value).toLowerCase())
            : values;
          const any = eb.or((routeColumns[field] ?? []).map((column) => eb(column, "in", wanted as never)));
          return negated ? eb.not(any) : any;
        }),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}
