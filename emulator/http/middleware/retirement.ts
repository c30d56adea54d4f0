/** Start of the deprecation and throttling of `GET /requests/v2`, in Unix milliseconds (specification, "Versioning"). */
export const deprecatedAt = Date.UTC(2026, 6, 22);
export const throttledFrom = Date.UTC(2026, 8, 1);

/** Remaining share of the endpoint's limit: 1/2 in the first month of throttling, halved each further month. */
export function retirementFactor(now: number): number {
  if (now < throttledFrom) return 1;
  const start = new Date(throttledFrom);
  const at = new Date(now);
  const months = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  return 0.5 ** (months + 1);
}
