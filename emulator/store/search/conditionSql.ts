import { type RawBuilder, sql } from "kysely";
import type { Condition, Range, SearchField, SearchPlace, SearchSort } from "./SearchQuery.ts";

/** A condition in SQL. */
export type Sql = RawBuilder<unknown>;

/** Columns of a shape: what a condition on them selects is known before a request is looked at. */
const shapeColumns: Readonly<Partial<Record<SearchField, readonly string[]>>> = {
  chainId: ["origin_chain_id", "destination_chain_id"],
  currencyInAddress: ["currency_in"],
  currencyInChainId: ["origin_chain_id"],
  currencyInSymbol: ["currency_in_symbol"],
  currencyOutAddress: ["currency_out"],
  currencyOutChainId: ["destination_chain_id"],
  currencyOutSymbol: ["currency_out_symbol"],
  destinationChainId: ["destination_chain_id"],
  failReason: ["fail_reason"],
  originChainId: ["origin_chain_id"],
  refundFailReason: ["refund_fail_reason"],
  requestType: ["request_type"],
  status: ["status"],
};

/** Columns of who a request belongs to; several mean that either may fit. */
const partyColumns: Readonly<Partial<Record<SearchField, readonly string[]>>> = {
  apiKey: ["api_key_id"],
  depositAddress: ["deposit_address"],
  recipient: ["recipient"],
  referrer: ["referrer"],
  user: ["user", "recipient"],
};

const hashKinds: Readonly<Partial<Record<SearchField, readonly string[]>>> = {
  depositTxHash: ["deposit"],
  fillTxHash: ["fill"],
  refundTxHash: ["refund"],
  txHash: ["deposit", "fill", "refund"],
};

/** Whether a condition is on what makes a request's shape. */
export function isShapeCondition({ field }: Condition): boolean {
  return shapeColumns[field] !== undefined;
}

/** Whether a condition names single requests, or the few that belong to one. */
export function isIdentityCondition({ field, negated }: Condition, withChildren: boolean): boolean {
  if (negated) return false;
  if (field === "depositAddress") return withChildren;
  return field === "id" || field === "orderId" || hashKinds[field] !== undefined;
}

/** Columns of which either may have one of the values, each with indexes in every order; `undefined` for other conditions. */
export function partyColumnsOf({ field, negated }: Condition): readonly string[] | undefined {
  return negated ? undefined : partyColumns[field];
}

/** Parts that together hold all rows `r` which a condition on identity or party can hold for, each found by an index. */
export function sourcesOf({ field, values }: Condition, withChildren: boolean): readonly Sql[] {
  const list = sql.join(values);
  const kinds = hashKinds[field];
  if (kinds !== undefined) {
    return [hashSql(list, kinds)];
  }
  if (field === "orderId") return [sql`r.order_id in (${list})`];
  if (field === "id") {
    return withChildren ? [sql`r.id in (${list})`, sql`r.parent_id in (${list})`] : [sql`r.id in (${list})`];
  }
  const parties = (partyColumns[field] ?? []).map((column) => sql`${sql.ref(`r.${column}`)} in (${list})`);
  if (field !== "depositAddress" || !withChildren) return parties;
  return [...parties, sql`r.parent_id in (select id from requests where deposit_address in (${list}))`];
}

/** The features' part of the rows `r`, found by an index. */
export function featureSource(features: readonly string[]): Sql {
  return sql`r.id in (select request_id from request_features where feature in (${sql.join(features)}))`;
}

/**
 * A condition on the row `r`.
 *
 * @param withChildren Whether children of what is named belong to it.
 */
export function conditionSql(condition: Condition, withChildren: boolean): Sql {
  const { field, negated, values } = condition;
  const columns = shapeColumns[field];
  const either =
    columns === undefined
      ? nonShapeSql(condition, withChildren && !negated)
      : sql.join(
          columns.map((column) => sql`${columnSql(column)} in (${sql.join(values.map(sqlValue(field)))})`),
          sql` or `,
        );
  return negated ? sql`not (${either})` : sql`(${either})`;
}

function columnSql(column: string): Sql {
  if (column.endsWith("symbol")) return sql`lower(${sql.ref(`r.${column}`)})`;
  if (column.endsWith("fail_reason")) return sql`coalesce(${sql.ref(`r.${column}`)}, '')`;
  return sql.ref(`r.${column}`);
}

function sqlValue(field: SearchField): (value: number | string) => number | string {
  if (field.endsWith("Symbol")) return (value) => String(value).toLowerCase();
  // No reason is what nothing went wrong with.
  if (field.endsWith("ailReason")) return (value) => (value === "N/A" ? "" : value);
  return (value) => value;
}

function nonShapeSql({ field, values }: Condition, withChildren: boolean): Sql {
  const list = sql.join(values);
  const kinds = hashKinds[field];
  if (kinds !== undefined) {
    return hashSql(list, kinds);
  }
  if (field === "orderId") return sql`r.order_id in (${list})`;
  if (field === "id") {
    if (!withChildren) return sql`r.id in (${list})`;
    return sql`r.id in (${list}) or coalesce(r.parent_id, '') in (${list})`;
  }
  const columns = partyColumns[field] ?? [];
  const fits = sql.join(
    columns.map((column) => sql`coalesce(${sql.ref(`r.${column}`)}, '') in (${list})`),
    sql` or `,
  );
  if (field !== "depositAddress" || !withChildren) return fits;
  return sql`${fits} or r.parent_id in (select id from requests where deposit_address in (${list}))`;
}

/** Transactions of the solver are found before they are mined, too. */
function hashSql(list: Sql, kinds: readonly string[]): Sql {
  const which = sql`hash in (${list}) and kind in (${sql.join(kinds)})`;
  return sql`r.id in (
    select request_id from request_hashes where ${which} union select request_id from transactions where ${which}
  )`;
}

/** A range of the row `r`. */
export function rangeSql({ column, from, to }: Range): Sql {
  const name = sql.ref(`r.${column}`);
  return andSql([
    ...(from === undefined ? [] : [sql`${name} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${name} <= ${to}`]),
    // For indexes that leave out what has none.
    ...(column === "app_fees_usd" && (from ?? 0) > 0 ? [sql`r.app_fees_usd > 0`] : []),
  ]);
}

/** Only rows `r` behind a place. */
export function behindSql({ column, direction }: SearchSort, { id, value }: SearchPlace): Sql {
  const order = sql.raw(direction === "asc" ? ">" : "<");
  return sql`(${sql.ref(`r.${column}`)}, r.id) ${order} (${value}, ${id})`;
}

/** One of these features. */
export function featuresSql(features: readonly string[]): Sql {
  return sql`exists (select 1 from request_features f where f.request_id = r.id and f.feature in (${sql.join(features)}))`;
}

/** All of them. */
export function andSql(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}
