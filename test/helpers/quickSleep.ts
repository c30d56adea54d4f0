import { type Sleep, sleep } from "../../src/internal/sleep.ts";

/**
 * What a client of a test waits with: a second between two polls, and less, passes a hundred times as fast. Limits of time
 * are as long as they are.
 */
export const quickSleep: Sleep = (ms, signal) => sleep(ms <= 1_000 ? ms / 100 : ms, signal);
