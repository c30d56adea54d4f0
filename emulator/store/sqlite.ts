import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Dialect, SqliteDialect } from "kysely";

/**
 * Lets Kysely speak to the SQLite that ships with Node.
 *
 * @param file Where the database lives; `:memory:` keeps it in this process.
 */
export function sqliteDialect(file: string): Dialect {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          all: (parameters) => statement.all(...values(parameters)),
          iterate: (parameters) => statement.iterate(...values(parameters)),
          // A statement without result columns changes rows; Kysely wants to know which kind it has.
          reader: statement.columns().length > 0,
          run: (parameters) => statement.run(...values(parameters)),
        };
      },
    },
  });
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
