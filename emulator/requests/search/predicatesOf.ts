import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { Store, Tables } from "../../store/tables.ts";
import {
  columnPredicate,
  familyPredicate,
  filtered,
  negationOf,
  never,
  type Predicate,
  type Sql,
} from "./columnPredicates.ts";
import type { Condition, SearchField } from "./SearchQuery.ts";

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
export async function predicatesOf(
  store: Store,
  conditions: readonly Condition[],
  { outer = [], withChildren }: { readonly outer?: readonly Condition[]; readonly withChildren: boolean },
): Promise<readonly Predicate[]> {
  const onRoutes = conditions.filter(isOnRoutes);
  const others = conditions.filter((condition) => !isOnRoutes(condition));
  return Promise.all([
    ...others.map((condition) => predicateOf(store, condition, withChildren)),
    ...(onRoutes.length === 0 ? [] : [routesPredicate(store, [...onRoutes, ...outer.filter(isOnRoutes)])]),
  ]);
}

async function predicateOf(store: Store, condition: Condition, withChildren: boolean): Promise<Predicate> {
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
  return negated ? negationOf(predicate) : predicate;
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
