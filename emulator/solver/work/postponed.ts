import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** Delay before the first retry, in milliseconds. It doubles with each further one, up to the longest. */
const firstDelayMs = 500;
const longestDelayMs = 8_000;

/**
 * Columns of a row whose attempt failed, or that waits.
 *
 * @param row The row before the attempt.
 * @param at Time of the attempt.
 */
export function postponed({ attempts }: { readonly attempts: number }, at: number) {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** attempts);
  return { attempts: attempts + 1, not_before: at + delay };
}

/** Whether a row may be attempted at a time. */
export function isDueAt(at: number) {
  return (where: ExpressionBuilder<Tables, "address_payments" | "relayed_deposits">): Expression<SqlBool> =>
    where.or([where("not_before", "is", null), where("not_before", "<=", at)]);
}

/** Orders rows by when they became due: a row that fails goes behind those that wait, so that none starves. */
export const dueSince = sql<number>`coalesce(not_before, at)`;
