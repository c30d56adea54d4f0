import type { Dialect } from "kysely";

/** Has a function called after every commit. It must not throw. */
export type OnCommit = (listener: () => void) => void;

/**
 * A dialect that tells of every transaction it has committed. Here no writer can forget to tell: whatever changes a
 * request does so in a transaction, because the event has to be written with it.
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
