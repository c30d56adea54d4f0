import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { isConnectionLoss, type Outage, reasonOf } from "./connectionLoss.ts";
import { StoreConnectionLostError } from "./storeErrors.ts";

/** Time that a query waits for a restarting database, in milliseconds. In a longer outage queries fail at once. */
const patienceMs = 1_500;
const firstPauseMs = 20;
/** More attempts than the pool has connections. */
const mostAttempts = 12;
/** Statements that are safe to repeat: reads, and beginnings of transactions. */
const repeatable = /^\s*(?:select|start transaction|begin)\b/i;

/**
 * A driver that survives lost connections. It repeats a read outside a transaction, and the beginning of a transaction, on a
 * new connection. Any other statement may have been executed, and fails with {@link StoreConnectionLostError}.
 */
export function reconnecting(driver: Driver, outage: Outage): Driver {
  const connect = async () => {
    const begin = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      try {
        const connection = await driver.acquireConnection();
        outage.restored();
        return connection;
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        outage.lost(error, true);
        const now = performance.now();
        const isHopeless = now - (outage.awaySince() ?? now) > patienceMs;
        if (isHopeless || now + pauseMs > begin + patienceMs)
          throw new StoreConnectionLostError(reasonOf(error));
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const release = (connection: DatabaseConnection) => driver.releaseConnection(connection);
  const reached = (connection: DatabaseConnection) => connection as Reconnecting;
  return {
    acquireConnection: async () => new Reconnecting(await connect(), { connect, outage, release }),
    beginTransaction: async (connection, settings) => {
      await driver.beginTransaction(connection, settings);
      reached(connection).isInTransaction = true;
    },
    commitTransaction: async (connection) => {
      await driver.commitTransaction(connection);
      reached(connection).isInTransaction = false;
    },
    destroy: () => driver.destroy(),
    init: () => driver.init(),
    releaseConnection: async (connection) => reached(connection).release(),
    rollbackTransaction: async (connection) => {
      reached(connection).isInTransaction = false;
      await reached(connection).rollBack((inner) => driver.rollbackTransaction(inner));
    },
  };
}

type Ways = {
  readonly connect: () => Promise<DatabaseConnection>;
  readonly release: (connection: DatabaseConnection) => Promise<void>;
  readonly outage: Outage;
};

class Reconnecting implements DatabaseConnection {
  isInTransaction = false;
  #connection: DatabaseConnection | undefined;
  readonly #ways: Ways;

  constructor(connection: DatabaseConnection, ways: Ways) {
    this.#connection = connection;
    this.#ways = ways;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Idle connections of a pool break together, and each break shows at its next use.
    for (let attempt = 1; ; attempt++) {
      this.#connection ??= await this.#ways.connect();
      const outcome = await this.#attempt<Row>(this.#connection, query);
      if (!(outcome instanceof StoreConnectionLostError)) return outcome;
      if (this.isInTransaction || !repeatable.test(query.sql) || attempt === mostAttempts) throw outcome;
      await this.release();
    }
  }

  /** Returns the error of a lost connection; throws every other error. */
  async #attempt<Row>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row> | StoreConnectionLostError> {
    try {
      return await connection.executeQuery<Row>(query);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      this.#ways.outage.lost(error);
      return new StoreConnectionLostError(reasonOf(error));
    }
  }

  /** The server rolls back the transaction of a lost connection. */
  async rollBack(work: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
    if (this.#connection === undefined) return;
    try {
      await work(this.#connection);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
    }
  }

  async release(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) await this.#ways.release(connection);
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    if (this.#connection === undefined) throw new StoreConnectionLostError("the connection was lost");
    return this.#connection.streamQuery(query, chunkSize);
  }
}
