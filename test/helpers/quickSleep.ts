import { type Sleep, sleep } from "../../src/internal/sleep.ts";

/**
 * Sleep function of test clients: waits of up to a second are a hundred times shorter. Longer waits, such as time
 * limits, are unchanged.
 */
export const quickSleep: Sleep = (ms, signal) => sleep(ms <= 1_000 ? ms / 100 : ms, signal);
