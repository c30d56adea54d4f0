import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes, isPostgres } from "./dialect/columnTypes.ts";
import { balanceSchema } from "./schema/balanceSchema.ts";
import { eventOrder } from "./schema/eventOrder.ts";
import { paymentSchema } from "./schema/paymentSchema.ts";
import { requestSchema } from "./schema/requestSchema.ts";
import { serviceSchema } from "./schema/serviceSchema.ts";

async function createSchema(database: Kysely<unknown>): Promise<void> {
  const parts = [requestSchema, paymentSchema, balanceSchema, serviceSchema];
  const statements = parts.flatMap((part) => part(columnTypes(database)));
  if (isPostgres(database)) statements.push(...eventOrder);
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** In order of their names. A migration that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-schema": { up: createSchema },
};
