import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../columnTypes.ts";
import type { Store } from "../openStore.ts";
import { andSql, type Sql } from "./conditionSql.ts";
import type { SearchPlace, SearchSort } from "./SearchQuery.ts";
import { shapeOf } from "./shape.ts";

/** What statements need to know of a search. */
export type Search = {
  readonly store: Store;
  readonly sort: SearchSort;
  /** At most so many places. */
  readonly limit: number;
  /** Whether only how many there are matters. */
  readonly isCount: boolean;
};

function orderBy({ isCount, sort: { column, direction } }: Pick<Search, "isCount" | "sort">): Sql {
  if (isCount) return sql``;
  const order = sql.raw(direction);
  return sql`order by ${sql.ref(`r.${column}`)} ${order}, r.id ${order}`;
}

const placesOf = ({ column }: SearchSort): Sql => sql`r.id as id, ${sql.ref(`r.${column}`)} as value`;

async function run(statement: RawBuilder<SearchPlace>, { store }: Search): Promise<readonly SearchPlace[]> {
  return (await statement.execute(store)).rows;
}

/** Shapes that fit, and not more than a limit. */
export async function shapesThatFit(
  condition: Sql,
  limit: number,
  { store }: Search,
): Promise<readonly string[]> {
  const { rows } = await sql<{ shape: string }>`
    select distinct r.shape from request_shapes r where ${condition} limit ${limit}`.execute(store);
  return rows.map(({ shape }) => shape);
}

/** The first places of an order that fit, however far it has to be walked. */
export function walk(filter: Sql, search: Search): Promise<readonly SearchPlace[]> {
  const { limit, sort } = search;
  return run(
    sql`select ${placesOf(sort)} from requests r where ${filter} ${orderBy(search)} limit ${limit}`,
    search,
  );
}

/** What a walk over a few rows has found. */
export type ShortWalk = { readonly places: readonly SearchPlace[]; readonly isComplete: boolean };

/**
 * Walks an order over no more than `steps` rows.
 *
 * @param among Conditions that an index of this order begins with, and bounds of the order.
 * @param filter What must hold beyond.
 */
export async function walkShort(among: Sql, filter: Sql, steps: number, search: Search): Promise<ShortWalk> {
  const { limit, sort } = search;
  // Rows stream through the outer statement, which stops the inner one as soon as it has enough.
  const places = await run(
    sql`select w.id, w.value from (
        select ${placesOf(sort)}, (${filter}) as fits from requests r where ${among} ${orderBy(search)} limit ${steps}
      ) w where w.fits limit ${limit}`,
    search,
  );
  if (places.length >= limit) return { isComplete: true, places };
  const [next] = await run(
    sql`select ${placesOf(sort)} from requests r where ${among} ${orderBy(search)} limit 1 offset ${steps}`,
    search,
  );
  return { isComplete: next === undefined, places };
}

/** Looks at every row of a few sets, which together contain the answer. */
export function lookAtAll(
  sources: readonly Sql[],
  filter: Sql,
  search: Search,
): Promise<readonly SearchPlace[]> {
  const { limit, sort } = search;
  const column = sql.ref(`r.${sort.column}`);
  // Without an order inside, no index of the order is preferred to that of the set.
  const parts = sources.map(
    (source) => sql`select ${placesOf(sort)}, ${column} from requests r where ${source} and ${filter}`,
  );
  return run(
    sql`with r as materialized (${sql.join(parts, sql` union `)})
      select r.id, r.value from r ${orderBy(search)} limit ${limit}`,
    search,
  );
}

/** The size of sets, as far as a limit. */
export async function sizesOf(
  sets: readonly (readonly Sql[])[],
  limit: number,
  { store }: Pick<Search, "store">,
): Promise<readonly number[]> {
  if (sets.length === 0) return [];
  const parts = sets.map((sources, index) => {
    const counts = sources.map(
      (source) => sql`(select count(*) from (select 1 from requests r where ${source} limit ${limit}) c)`,
    );
    return sql`select ${sql.lit(index)} as place, ${sql.join(counts, sql` + `)} as size`;
  });
  const { rows } = await sql<{ place: number; size: number }>`${sql.join(parts, sql` union all `)}`.execute(
    store,
  );
  return [...rows].sort((a, b) => a.place - b.place).map(({ size }) => Number(size));
}

/** A column, or the shape, that indexes of every order begin with. */
export function keySql(column: string): Sql {
  return column === "shape" ? shapeOf("r") : sql.ref(`r.${column}`);
}

/** Merges the beginnings of several ranges of an index: those that have one of the values in its first column. */
export function mergeRanges(
  column: string,
  values: readonly (number | string)[],
  filter: Sql,
  search: Search,
): Promise<readonly SearchPlace[]> {
  const { limit, sort, store } = search;
  // A value that is named twice must not fill the page twice.
  const keys = [...new Set(values)];
  const order = sql.raw(sort.direction);
  const inOrder = (place: Sql, id: Sql) =>
    search.isCount ? sql`` : sql`order by ${place} ${order}, ${id} ${order}`;
  const range = (key: Sql) => andSql([sql`${keySql(column)} = ${key}`, filter]);
  if (isPostgres(store)) {
    return run(
      sql`select x.id, x.value from unnest(${keys}::text[]) s(key) cross join lateral (
        select ${placesOf(sort)} from requests r where ${range(sql`s.key`)} ${orderBy(search)} limit ${limit}
      ) x ${inOrder(sql`x.value`, sql`x.id`)} limit ${limit}`,
      search,
    );
  }
  return run(
    sql`select o.id as id, ${sql.ref(`o.${sort.column}`)} as value
      from json_each(${JSON.stringify(keys)}) s cross join requests o on o.rowid in (
        select r.rowid from requests r where ${range(sql`s.value`)} ${orderBy(search)} limit ${limit}
      ) ${inOrder(sql.ref(`o.${sort.column}`), sql.ref("o.id"))} limit ${limit}`,
    search,
  );
}
