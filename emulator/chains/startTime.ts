import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";

/** When to start: unix milliseconds, or a date. */
export type StartTime = number | Date;

/** The end of year 9999: later times do not fit into dates. */
export const latestTime = 253_402_300_799_000;

/** A start time in unix milliseconds. @throws InvalidParameterError outside the years 1970 to 9999. */
export function startTimeOf(time: StartTime): number {
  const at = typeof time === "number" ? time : time instanceof Date ? time.getTime() : Number.NaN;
  if (Number.isSafeInteger(at) && at >= 0 && at <= latestTime) return at;
  const reason = "it is unix milliseconds or a date, in the years 1970 to 9999";
  throw new InvalidParameterError({ parameter: "now", reason });
}
