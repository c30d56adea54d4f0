import type { StoreLog } from "./StoreLog.ts";
import { StoreConnectionLostError } from "./storeErrors.ts";

/** SQLSTATE of a server that stops, is not ready or has no connection left; class 08 is about connections altogether. */
const lostStates = /^(?:08...|57P0[1235]|53300)$/;
const lostSockets = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
/** The driver gives its own errors no code. */
const lostWords =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/;
/** Losses within this time of one another are one outage in the log; milliseconds. */
const quietMs = 10_000;
/** An outage that was longer than this is worth a line at its end, too; milliseconds. */
const longMs = 1_000;

/** Whether a query failed because its connection did, not because of what it asked. */
export function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (lostStates.test(code) || lostSockets.has(code))) return true;
  return lostWords.test(error.message);
}

/** The driver's words, without its client: a name of several addresses has a code only. */
export function reasonOf(error: Error): string {
  return error.message || String((error as { code?: unknown }).code ?? error.name);
}

/** Whether an error is about the database being away, and was therefore logged already. */
export function isAboutOutage(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof StoreConnectionLostError) return true;
  }
  return false;
}

/** Follows whether the database is there, and logs one line per outage however many connections notice it. */
export type Outage = {
  /** Since when no connection could be made, on the clock of `performance`; `undefined` while one can. */
  awaySince(): number | undefined;
  /** A connection broke, or one could not be made. */
  lost(cause: Error, isAway?: boolean): void;
  /** A connection was made. */
  restored(): void;
};

/** @param log Receives the words of the driver alone: its errors refer to its clients, with all their settings. */
export function followOutage(log: StoreLog): Outage {
  let since: number | undefined;
  let lastLoss = Number.NEGATIVE_INFINITY;
  return {
    awaySince: () => since,
    lost: (cause, isAway = false) => {
      const now = performance.now();
      if (now - lastLoss > quietMs) {
        log({
          level: "error",
          message: `the database is not reached (${reasonOf(cause)}); connecting again`,
        });
      }
      lastLoss = now;
      if (isAway) since ??= now;
    },
    restored: () => {
      if (since === undefined) return;
      const awayMs = Math.round(performance.now() - since);
      since = undefined;
      if (awayMs > longMs)
        log({ level: "info", message: `the database is reached again after ${awayMs} ms` });
    },
  };
}
