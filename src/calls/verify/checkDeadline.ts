import { type QuoteCheck, report } from "./QuoteCheck.ts";

/** Allowed difference between the service's clock and the caller's, in seconds. */
const clockSkew = 60;

/**
 * Checks that a deadline is in the future, and not later than requested.
 *
 * @param deadline Unix seconds.
 * @param seconds Maximum distance from now.
 */
export function checkDeadline(
  check: QuoteCheck,
  path: string,
  deadline: number | bigint,
  seconds: number,
): void {
  if (deadline <= check.now) report(check, "QUOTE_DEADLINE", path, `after ${check.now}`, deadline);
  const last = check.now + seconds + clockSkew;
  if (deadline > last) report(check, "QUOTE_DEADLINE", path, `at most ${last}`, deadline);
}
