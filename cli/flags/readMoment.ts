import { InvalidArgumentError } from "commander";

/** Parses a date or a time in UTC; `undefined` for an invalid one, such as 30 February. */
export function readDate(value: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(value)) return undefined;
  const moment = new Date(value);
  // `Date` would roll an invalid day over to the next month.
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value.slice(0, 10));
  return isDay ? moment : undefined;
}

/** Parses a start time, a date or unix seconds, to unix milliseconds. */
export function readMoment(value: string): number {
  const at = /^\d{1,11}$/.test(value) ? Number(value) * 1_000 : readDate(value)?.getTime();
  if (at !== undefined) return at;
  throw new InvalidArgumentError(
    "A time is a date such as 2026-12-31 or 2026-12-31T12:00:00Z, or unix seconds.",
  );
}
