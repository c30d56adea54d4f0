import type { RateLimit } from "./rateLimits.ts";

/** Counts requests in fixed windows aligned to the clock's minutes or seconds. */
export type RequestCounter = {
  /** Counts a request. @returns Whether it is within the limit. */
  count(who: string, limit: RateLimit, now: number): boolean;
};

/** Maximum counted windows: clients with ever new names must not fill the memory. */
const mostWindows = 10_000;

/** Creates a counter in the memory of this process. */
export function createRequestCounter(): RequestCounter {
  const windows = new Map<string, { until: number; requests: number }>();
  return {
    count: (who, { requests, windowMs }, now) => {
      const until = (Math.floor(now / windowMs) + 1) * windowMs;
      const name = `${windowMs} ${who}`;
      const window = windows.get(name);
      if (window?.until === until) {
        window.requests++;
        return window.requests <= requests;
      }
      if (windows.size >= mostWindows) forget(windows, now);
      windows.set(name, { requests: 1, until });
      return requests >= 1;
    },
  };
}

/** Drops expired windows. If more than half the maximum remain, also drops the oldest, so that the next call is cheap. */
function forget(windows: Map<string, { until: number }>, now: number): void {
  for (const [name, { until }] of windows) if (until <= now) windows.delete(name);
  for (const name of windows.keys()) {
    if (windows.size <= mostWindows / 2) return;
    windows.delete(name);
  }
}
