import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "../context/Context.ts";
import type { Tables } from "../store/tables.ts";

/** Delay before the first retry, in milliseconds. It doubles with each further one, up to the longest. */
const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** Columns of a row whose attempt failed, or that waits. */
export function postponed({ attempts }: { readonly attempts: number }, at: number) {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** attempts);
  return { attempts: attempts + 1, not_before: at + delay };
}

/**
 * Columns of a row that waits until a time of the emulator's clock. That clock may be set or frozen meanwhile, so the row is
 * looked at again after the first delay at the latest.
 */
export function postponedUntil(until: number, { now, workTime }: Pick<Context, "now" | "workTime">) {
  return { not_before: workTime() + Math.min(firstDelayMs, Math.max(0, until - now())) };
}

/** Columns of a row that is retried at once, without regard to its failures. */
export const dueAtOnce = { attempts: 0, not_before: null } as const;

/**
 * Whether a row may be attempted at a time. A delay longer than the longest was written by another clock, and counts as over:
 * the system clock was set back, or the store is of a version that used the emulator's clock.
 */
export function isDueAt(at: number) {
  return (where: ExpressionBuilder<Tables, "address_payments" | "relayed_deposits">): Expression<SqlBool> =>
    where.or([
      where("not_before", "is", null),
      where("not_before", "<=", at),
      where("not_before", ">", at + longestDelayMs),
    ]);
}

/**
 * Orders due rows: first those without a failed attempt, then by when they became due. A row that fails goes behind those that
 * wait, so that none starves. Times of the emulator's clock, such as `at`, cannot be compared with delays.
 */
export const dueSince = sql<number>`coalesce(not_before, 0)`;
