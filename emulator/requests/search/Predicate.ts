import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { Store } from "../../store/openStore.ts";
import type { Tables } from "../../store/tables.ts";
import type { RangeColumn } from "./SearchQuery.ts";

/** A condition in SQL. */
export type Sql = RawBuilder<SqlBool>;

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

export const always: Predicate = { filter: sql<SqlBool>`1 = 1` };
export const never: Predicate = { filter: sql<SqlBool>`1 = 0`, sources: [] };

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
export function filtered(store: Store, column: keyof Tables["requests"]): Sql {
  const reference = sql<SqlBool>`${sql.ref(`requests.${column}`)}`;
  return isPostgres(store) ? reference : sql`+${reference}`;
}
