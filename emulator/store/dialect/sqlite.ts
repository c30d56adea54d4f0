import { closeSync, openSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type Dialect, SqliteDialect, SqliteQueryCompiler, type SqliteStatement } from "kysely";
import { withoutNul } from "./columnTypes.ts";
import { StoreLockedError } from "./storeErrors.ts";

/** Time to wait for a process that is exiting, in milliseconds. */
const busyTimeoutMs = 2_000;
/** Size of the statement cache, above the number of distinct statements in use. */
const keptStatements = 500;
/** Size of the page cache: fifty records are spread over about a thousand pages of a large file. */
const cacheKibibytes = 32 * 1_024;
/** SQLite's name of a database without a file. */
const inMemory = ":memory:";
/** Page size in memory. SQLite visits each page of an in-memory database at a commit, so few large pages are faster. */
const memoryPageBytes = 16_384;
/** SQLite's error code of a database that another process has locked. */
const sqliteBusy = 5;

/** The dialect of Node's built-in SQLite. A file belongs to one process at a time. */
export function sqliteDialect(file: string): Dialect {
  const database = openDatabase(file);
  const kept = new Map<string, SqliteStatement>();
  const dialect = new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        const known = kept.get(sql);
        if (known !== undefined) {
          // LRU: a used statement moves to the end, and the first one is evicted.
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
        // SQLite rolls back by itself on a full or unreadable disk; the original error is thrown.
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

/** File mode of a new database, which stores keys. SQLite gives its log the same mode. */
const ownerOnly = 0o600;

function openDatabase(file: string): DatabaseSync {
  if (file !== inMemory) closeSync(openSync(file, "a", ownerOnly));
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(file);
  try {
    if (file === inMemory) database.exec(`PRAGMA page_size = ${memoryPageBytes}`);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // The lock lasts until the database is closed or the process ends.
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

/**
 * Loads Node's SQLite without Node's warning that it is experimental: the store's tests run on it. Other warnings pass.
 * A static import would fail on older versions of Node before `startEmulator` names the version that it needs.
 */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = (warning: Error | string, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function toStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement: StatementSync = database.prepare(sql);
  return {
    all: (parameters) => statement.all(...values(parameters)),
    // A caller may stop iterating midway, which must not disturb the cached statement.
    iterate: (parameters) => database.prepare(sql).iterate(...values(parameters)),
    // A statement without result columns changes rows; Kysely needs the distinction.
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
