/** From when `GET /requests/v2` is deprecated and throttled: Unix milliseconds (specification, "Versioning"). */
export const deprecatedAt = Date.UTC(2026, 6, 22);
export const throttledFrom = Date.UTC(2026, 8, 1);

/** The share of its limit that the endpoint has left: a half in the first month of throttling, half of that in the next. */
export function retirementFactor(now: number): number {
  if (now < throttledFrom) return 1;
  const start = new Date(throttledFrom);
  const at = new Date(now);
  const months = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  return 0.5 ** (months + 1);
}
