import { type Kysely, type RawBuilder, sql } from "kysely";
import { shapeOf } from "../search/shape.ts";

const orders = ["created_at", "updated_at", "amount_usd"] as const;
/** Columns that are searched by range, and what few enough requests have of them. */
const ranges = {
  app_fees_usd: "app_fees_usd > 0",
  fill_time_ms: "fill_time_ms is not null",
  origin_block: "origin_block is not null",
} as const;
/** What very many requests can have in common. */
const crowds = ["api_key_id", "referrer"] as const;

/**
 * Puts what is searched by range into the indexes that are walked. A walk that looks for old blocks among what changed
 * last passes by most requests: it need not read them, which takes ten times as long as reading their index entries.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const order of orders) {
    const others = orders.filter((other) => other !== order);
    const rest = columnsSql([order, "id", ...others, ...Object.keys(ranges)]);
    await replace(database, `search_${order}`, rest);
    await replace(database, `search_shape_${order}`, sql`${shapeOf()}, ${rest}`);
    for (const column of crowds) {
      const name = `search_${column}_${order}`;
      await replace(database, name, sql`${sql.ref(column)}, ${rest}`, `${column} is not null`);
    }
  }
  for (const [column, condition] of Object.entries(ranges)) {
    const others = Object.keys(ranges).filter((other) => other !== column);
    await replace(database, `search_${column}`, columnsSql([column, ...orders, "id", ...others]), condition);
  }
}

function columnsSql(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Puts another index in the place of the one that has the name. */
async function replace(
  database: Kysely<unknown>,
  name: string,
  columns: RawBuilder<unknown>,
  condition?: string,
): Promise<void> {
  await sql`drop index ${sql.ref(name)}`.execute(database);
  const where = condition === undefined ? sql`` : sql`where ${sql.raw(condition)}`;
  await sql`create index ${sql.ref(name)} on requests (${columns}) ${where}`.execute(database);
}
