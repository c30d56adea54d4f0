import { StoreConnectionLostError } from "./storeErrors.ts";

/** Logger of the database's connections. Secrets are never passed to it. */
export type StoreLog = (entry: {
  readonly level: "info" | "error";
  readonly message: string;
  readonly cause?: unknown;
}) => void;

/** SQLSTATE of a server that stops, starts or has no free connection; class 08 covers connection errors. */
const lostStates = /^(?:08...|57P0[1235]|53300)$/;
const lostSockets = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
/** Messages of the driver's own errors, which have no code. */
const lostWords =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/;
/** Losses within this time are one outage in the log; milliseconds. */
const quietMs = 10_000;
/** The end of a longer outage is logged; milliseconds. */
const longMs = 1_000;

/** Whether a query failed because of its connection. */
export function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (lostStates.test(code) || lostSockets.has(code))) return true;
  return lostWords.test(error.message);
}

/** The driver's message without its client. A host with several addresses yields a code only. */
export function reasonOf(error: Error): string {
  return error.message || String((error as { code?: unknown }).code ?? error.name);
}

/** Whether an error reports an outage of the database, which has been logged already. */
export function isAboutOutage(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof StoreConnectionLostError) return true;
  }
  return false;
}

/** Tracks outages of the database, and logs one line per outage. */
export type Outage = {
  /** Start of the time without a connection, by `performance.now()`; `undefined` while connected. */
  awaySince(): number | undefined;
  /** A connection broke, or one could not be made. */
  lost(cause: Error, isAway?: boolean): void;
  /** A connection was made. */
  restored(): void;
};

/** @param log Receives the driver's message alone: its errors refer to clients with all their settings. */
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
          message: `the database is unreachable (${reasonOf(cause)}); reconnecting`,
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
        log({ level: "info", message: `the database is reachable again after ${awayMs} ms` });
    },
  };
}
