import type { Dialect } from "kysely";

/** Subscribes to commits. The listener must not throw. */
export type OnCommit = (listener: () => void) => void;

/**
 * Notifies of every committed transaction in the dialect, so that no writer can omit it: each change of a request is written
 * with its event in one transaction.
 */
export function observeCommits(dialect: Dialect): { readonly dialect: Dialect; readonly onCommit: OnCommit } {
  const listeners: (() => void)[] = [];
  return {
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => {
        const driver = dialect.createDriver();
        const commit = driver.commitTransaction.bind(driver);
        driver.commitTransaction = async (connection) => {
          await commit(connection);
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
