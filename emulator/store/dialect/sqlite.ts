import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type Dialect, SqliteDialect, SqliteQueryCompiler, type SqliteStatement } from "kysely";
import { StoreLockedError } from "./storeErrors.ts";
import { withoutNul } from "./withoutNul.ts";

/** How long to wait for a process that is on its way out, in milliseconds. */
const busyTimeoutMs = 2_000;
/** Statements that are kept for the next time; there are fewer different ones than this in use. */
const keptStatements = 500;
/** Pages that are kept: fifty records of a page lie in some thousand pages of a file of gigabytes. */
const cacheKibibytes = 32 * 1_024;
/** SQLite's name of a database that is in no file. */
const inMemory = ":memory:";
/** SQLite looks at each page of a database in memory when it commits: there should be few, and a request fits into one. */
const memoryPageBytes = 16_384;
/** SQLite's code for a database that somebody else has locked. */
const sqliteBusy = 5;

/**
 * Lets Kysely speak to the SQLite that ships with Node. A file belongs to one process at a time.
 *
 * @param file Where the database lives; `:memory:` keeps it in this process.
 * @throws StoreLockedError when another process has the file.
 */
export function sqliteDialect(file: string): Dialect {
  const database = openDatabase(file);
  const kept = new Map<string, SqliteStatement>();
  const dialect = new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        const known = kept.get(sql);
        if (known !== undefined) {
          // What was used last goes to the end: the first one is dropped when there are too many.
          kept.delete(sql);
          kept.set(sql, known);
          return known;
        }
        const statement = toStatement(database, sql);
        kept.set(sql, statement);
        const [oldest] = kept.keys();
        if (kept.size > keptStatements && oldest !== undefined) kept.delete(oldest);
        return statement;
      },
    },
  });
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const rollBack = driver.rollbackTransaction.bind(driver);
      driver.rollbackTransaction = async (connection) => {
        // SQLite has rolled back by itself where a disk is full or cannot be read: that error is the one to be thrown.
        if (database.isTransaction) await rollBack(connection);
      };
      return driver;
    },
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => new TextCompiler(),
  };
}

class TextCompiler extends SqliteQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(withoutNul(parameter));
  }
}

/** Mode of a new file: keys are stored in it. SQLite gives its log the same. */
const ownerOnly = 0o600;

function openDatabase(file: string): DatabaseSync {
  if (file !== inMemory) closeSync(openSync(file, "a", ownerOnly));
  const database = new DatabaseSync(file);
  try {
    if (file === inMemory) database.exec(`PRAGMA page_size = ${memoryPageBytes}`);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // The lock is held until the database is closed, or its process ends in whatever way.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
    database.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; COMMIT;");
    return database;
  } catch (cause) {
    database.close();
    if (isBusy(cause)) {
      const remedy =
        "stop that one, or give this one a file of its own. Several processes can share a PostgreSQL database";
      throw new StoreLockedError({ cause, remedy, where: file });
    }
    throw cause;
  }
}

function toStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement: StatementSync = database.prepare(sql);
  return {
    all: (parameters) => statement.all(...values(parameters)),
    // Whoever reads row by row may stop in the middle: that must not disturb the statement that is kept.
    iterate: (parameters) => database.prepare(sql).iterate(...values(parameters)),
    // A statement without result columns changes rows; Kysely wants to know which kind it has.
    reader: statement.columns().length > 0,
    run: (parameters) => statement.run(...values(parameters)),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
