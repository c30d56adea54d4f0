import { type Kysely, sql } from "kysely";
import { columnTypes, isPostgres } from "../columnTypes.ts";
import { shapeOf } from "../search/shape.ts";

const orders = ["created_at", "updated_at", "amount_usd"] as const;
/** Columns that many requests leave empty, or at zero: only the others are worth finding. */
const sparse = {
  app_fees_usd: "app_fees_usd > 0",
  fill_time_ms: "fill_time_ms is not null",
  origin_block: "origin_block is not null",
} as const;
const shapeColumns = [
  "status",
  "request_type",
  "origin_chain_id",
  "destination_chain_id",
  "currency_in",
  "currency_out",
  "currency_in_symbol",
  "currency_out_symbol",
  "fail_reason",
  "refund_fail_reason",
] as const;

/** What searching a million requests takes: an index for every condition in every order, and the list of shapes. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // The first two are the first columns of new ones. Few requests have a parent: an index that holds the others, too, is
  // one that statistics advise against.
  for (const column of ["created_at", "updated_at", "parent_id"]) {
    await database.schema.dropIndex(`requests_${column}`).execute();
  }
  await indexRequests(database);
  await createShapes(database);
  await (isPostgres(database) ? watchPostgres : watchSqlite)(database);
  await sql`insert into request_shapes select distinct ${shapeOf()}, ${sql.raw(selected(""))} from requests`.execute(
    database,
  );
}

async function indexRequests(database: Kysely<unknown>): Promise<void> {
  for (const order of orders) {
    await sql`create index ${sql.ref(`search_${order}`)} on requests (${sql.ref(order)}, id)`.execute(
      database,
    );
    await sql`create index ${sql.ref(`search_shape_${order}`)} on requests (${shapeOf()}, ${sql.ref(order)}, id)`.execute(
      database,
    );
    for (const column of ["user", "recipient"]) {
      const name = sql.ref(`search_${column}_${order}`);
      await sql`create index ${name} on requests (${sql.ref(column)}, ${sql.ref(order)}, id)`.execute(
        database,
      );
    }
    for (const column of ["deposit_address", "api_key_id", "referrer"]) {
      const name = sql.ref(`search_${column}_${order}`);
      const on = sql`${sql.ref(column)}, ${sql.ref(order)}, id`;
      await sql`create index ${name} on requests (${on}) where ${sql.ref(column)} is not null`.execute(
        database,
      );
    }
  }
  for (const [column, condition] of Object.entries(sparse)) {
    const name = sql.ref(`search_${column}`);
    await sql`create index ${name} on requests (${sql.ref(column)}) where ${sql.raw(condition)}`.execute(
      database,
    );
  }
  await sql`create index search_parent on requests (parent_id) where parent_id is not null`.execute(database);
  await sql`create index search_feature on request_features (feature, request_id)`.execute(database);
}

async function createShapes(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("request_shapes")
    .addColumn("shape", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("request_type", text, (column) => column.notNull())
    .addColumn("origin_chain_id", integer, (column) => column.notNull())
    .addColumn("destination_chain_id", integer, (column) => column.notNull())
    .addColumn("currency_in", text, (column) => column.notNull())
    .addColumn("currency_out", text, (column) => column.notNull())
    .addColumn("currency_in_symbol", text, (column) => column.notNull())
    .addColumn("currency_out_symbol", text, (column) => column.notNull())
    .addColumn("fail_reason", text, (column) => column.notNull())
    .addColumn("refund_fail_reason", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("request_shapes_once", ["shape", ...shapeColumns])
    .execute();
}

/** Columns of a shape, read from a request: reasons are never null there, because null is never the same as null. */
function selected(row: string): string {
  const value = (column: string) =>
    column.endsWith("fail_reason") ? `coalesce(${row}${column}, '')` : `${row}${column}`;
  return shapeColumns.map(value).join(", ");
}

/** Triggers add each new shape, whoever writes the row. Shapes that no request has any more are only looked up in vain. */
async function watchSqlite(database: Kysely<unknown>): Promise<void> {
  for (const [name, event] of [
    ["inserted", "insert"],
    ["updated", `update of ${shapeColumns.join(", ")}`],
  ] as const) {
    await sql`
      create trigger ${sql.ref(`request_shapes_${name}`)} after ${sql.raw(event)} on requests begin
        insert into request_shapes select ${shapeOf("new")}, ${sql.raw(selected("new."))}
        where not exists (select 1 from request_shapes where ${sameShape()});
      end`.execute(database);
  }
}

function sameShape() {
  const columns = shapeColumns.map((column) => {
    const value = column.endsWith("fail_reason") ? `coalesce(new.${column}, '')` : `new.${column}`;
    return `${column} = ${value}`;
  });
  return sql`shape = ${shapeOf("new")} and ${sql.raw(columns.join(" and "))}`;
}

async function watchPostgres(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function waybill_request_shape() returns trigger language plpgsql as $$
    begin
      insert into request_shapes values (${shapeOf("new")}, ${sql.raw(selected("new."))})
      on conflict do nothing;
      return null;
    end $$`.execute(database);
  await sql`
    create trigger request_shapes_inserted after insert on requests
    for each row execute function waybill_request_shape()`.execute(database);
  await sql`
    create trigger request_shapes_updated after update of ${sql.raw(shapeColumns.join(", "))} on requests
    for each row execute function waybill_request_shape()`.execute(database);
}
