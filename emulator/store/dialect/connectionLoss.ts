import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
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

/** Whether a query failed because of its connection. */
function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (lostStates.test(code) || lostSockets.has(code))) return true;
  return lostWords.test(error.message);
}

/** The driver's message without its client. A host with several addresses yields a code only. */
function reasonOf(error: Error): string {
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
  /** A connection broke, or one could not be made. */
  lost(cause: Error): void;
};

/** @param log Receives the driver's message alone: its errors refer to clients with all their settings. */
export function followOutage(log: StoreLog): Outage {
  let lastLoss = Number.NEGATIVE_INFINITY;
  return {
    lost: (cause) => {
      const now = performance.now();
      if (now - lastLoss > quietMs) {
        log({
          level: "error",
          message: `the database is unreachable (${reasonOf(cause)}); reconnecting`,
        });
      }
      lastLoss = now;
    },
  };
}

/**
 * Turns the loss of a connection into {@link StoreConnectionLostError}. The pool replaces the connection; nothing is repeated,
 * because the statement may have been executed.
 */
export function reportLosses(driver: Driver, outage: Outage): Driver {
  const report = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      outage.lost(error);
      throw new StoreConnectionLostError(reasonOf(error));
    }
  };
  const acquire = driver.acquireConnection.bind(driver);
  const reporting = new WeakSet<DatabaseConnection>();
  driver.acquireConnection = async () => {
    const connection = await report(acquire());
    if (reporting.has(connection)) return connection;
    reporting.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      report(execute<Row>(query));
    return connection;
  };
  return driver;
}
