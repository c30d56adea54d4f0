import { sql } from "kysely";
import type { Store } from "../store/openStore.ts";

/** Key of the last drawn nonce. */
const key = "exchange-nonce";
/** A last nonce that is further ahead comes from a clock that a reset or a restore has set back, in milliseconds. */
const mostAhead = 60_000;

/**
 * Draws a nonce for a withdrawal: the present time, or the successor of the last nonce if that is not earlier. One
 * statement of the database, so that several processes draw different ones.
 */
export async function drawNonce(store: Store, now: number): Promise<number> {
  const last = sql<number>`cast(settings.value as bigint)`;
  const next = sql<string>`case when ${last} >= ${sql.lit(now)} and ${last} < ${sql.lit(now + mostAhead)}
    then cast(${last} + 1 as text) else ${sql.lit(String(now))} end`;
  const { value } = await store
    .insertInto("settings")
    .values({ key, value: String(now) })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: next }))
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}
