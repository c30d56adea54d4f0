import { sql } from "kysely";
import { isPostgres } from "../../emulator/store/dialect/columnTypes.ts";
import type { Store } from "../../emulator/store/tables.ts";

import { type Known, makeRows, type Rows } from "./makeRows.ts";

const batch = 2_000;

/** Fills an empty database with requests, and returns values to search for. Builds the indexes at the end. */
export async function seedRequests(store: Store, count: number): Promise<Known> {
  const restore = await dropIndexes(store);
  const { known, next } = makeRows(count);
  await store.insertInto("api_keys").values(known.apiKeys.map(toKeyRow)).execute();
  for (let rows = next(batch); rows !== undefined; rows = next(batch)) await insert(store, rows);
  await restore();
  await sql`${sql.raw(isPostgres(store) ? "vacuum analyze" : "analyze")}`.execute(store);
  return known;
}

function toKeyRow({ id, key }: Known["apiKeys"][number]) {
  return { created_at: 0, id, is_elevated: 0 as const, key, name: id, revoked_at: null };
}

async function insert(store: Store, rows: Rows): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    for (const [table, list] of Object.entries(rows)) {
      if (list.length === 0) continue;
      const json = JSON.stringify(list);
      const into = sql.table(table);
      if (isPostgres(transaction)) {
        await sql`insert into ${into} select * from json_populate_recordset(null::${into}, ${json})`.execute(
          transaction,
        );
        continue;
      }
      const columns = Object.keys(list[0] ?? {});
      const values = columns.map((column) => sql`value ->> ${sql.lit(column)}`);
      await sql`insert into ${into} (${sql.join(columns.map((column) => sql.ref(column)))})
        select ${sql.join(values)} from json_each(${json})`.execute(transaction);
    }
  });
}

/** Drops the indexes that no constraint needs, and returns the statements that recreate them. */
async function dropIndexes(store: Store): Promise<() => Promise<void>> {
  const query = isPostgres(store)
    ? sql<{ name: string; definition: string }>`
        select indexname as name, indexdef as definition from pg_indexes
        where schemaname = 'public' and tablename in ('requests', 'request_hashes', 'request_features')
        and indexname not in (select conname from pg_constraint)`
    : sql<{ name: string; definition: string }>`
        select name, sql as definition from sqlite_master
        where type = 'index' and sql is not null and tbl_name in ('requests', 'request_hashes', 'request_features')`;
  const { rows } = await query.execute(store);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(store);
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(store);
  };
}
