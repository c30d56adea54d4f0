import type { DatabaseConnection, Dialect } from "kysely";

/** Subscribes to commits of transactions that may write. The listener must not throw. */
export type OnCommit = (listener: () => void) => void;

/**
 * Notifies of every committed transaction in the dialect, so that no writer can omit it: each change of a request is written
 * with its event in one transaction. Read-only transactions are left out.
 */
export function observeCommits(dialect: Dialect): { readonly dialect: Dialect; readonly onCommit: OnCommit } {
  const listeners: (() => void)[] = [];
  return {
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => {
        const driver = dialect.createDriver();
        const begin = driver.beginTransaction.bind(driver);
        const commit = driver.commitTransaction.bind(driver);
        const reading = new WeakSet<DatabaseConnection>();
        driver.beginTransaction = async (connection, settings) => {
          if (settings.accessMode === "read only") reading.add(connection);
          else reading.delete(connection);
          await begin(connection, settings);
        };
        driver.commitTransaction = async (connection) => {
          await commit(connection);
          if (reading.has(connection)) return;
          for (const listener of listeners) listener();
        };
        return driver;
      },
      createIntrospector: (database) => dialect.createIntrospector(database),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
    onCommit: (listener) => {
      listeners.push(listener);
    },
  };
}
