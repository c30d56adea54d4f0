import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, TransactionBuilder } from "kysely";

/** A running transaction, as its own calls see it. */
type Scope = { isOpen: boolean; readonly store: object };

const scopes = new AsyncLocalStorage<Scope>();

/**
 * A query on the store inside a transaction of the same flow, instead of on the transaction.
 *
 * SQLite has one connection, which the transaction holds: the query would wait for the transaction, and the transaction for
 * the query. On PostgreSQL a second writing transaction would wait in the same way, and a read would miss the rows written.
 */
export class NestedQueryError extends Error {
  override readonly name = "NestedQueryError";

  constructor() {
    super("The store is used inside one of its transactions: pass the transaction to this query.");
  }
}

/**
 * Makes queries and transactions on a store fail inside a transaction of the same flow.
 *
 * @throws NestedQueryError from such a query, before it waits for a connection.
 */
export function guardTransactions<Tables>(store: Kysely<Tables>): void {
  const executor = store.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = async (consumer, options) => {
    const scope = scopes.getStore();
    if (scope?.isOpen === true && scope.store === store) throw new NestedQueryError();
    return provide(consumer, options);
  };
  const begin = store.transaction.bind(store);
  store.transaction = () => scoped(begin(), store);
}

/** Runs background work that a transaction starts and does not wait for. Its queries wait for the end of the transaction. */
export function outsideTransaction<Result>(work: () => Result): Result {
  return scopes.exit(work);
}

function scoped<Tables>(builder: TransactionBuilder<Tables>, store: object): TransactionBuilder<Tables> {
  const execute = builder.execute.bind(builder);
  const setAccessMode = builder.setAccessMode.bind(builder);
  const setIsolationLevel = builder.setIsolationLevel.bind(builder);
  builder.execute = (callback) =>
    execute(async (transaction) => {
      const scope: Scope = { isOpen: true, store };
      try {
        return await scopes.run(scope, () => callback(transaction));
      } finally {
        // Work in the background may outlive the transaction.
        scope.isOpen = false;
      }
    });
  builder.setAccessMode = (mode) => scoped(setAccessMode(mode), store);
  builder.setIsolationLevel = (level) => scoped(setIsolationLevel(level), store);
  return builder;
}
