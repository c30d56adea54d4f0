import { type QuoteCheck, report } from "./QuoteCheck.ts";

/** The service's clock and the caller's may differ by this many seconds. */
const clockSkew = 60;

/**
 * A moment that must not be over, nor later than was asked for.
 *
 * @param deadline Unix seconds.
 * @param seconds How far from now it may be.
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
