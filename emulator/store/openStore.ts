import { type Dialect, Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { BaseError } from "../../src/errors/BaseError.ts";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { columnTypes, isPostgres } from "./dialect/columnTypes.ts";
import { followOutage, type StoreLog } from "./dialect/connectionLoss.ts";
import { type OnCommit, observeCommits } from "./dialect/observeCommits.ts";
import {
  connectionOptions,
  listenToDatabase,
  loadPg,
  postgresDialect,
  trackConnections,
} from "./dialect/postgres.ts";
import { enterAlone, eventsChannel, writersLock } from "./dialect/presence.ts";
import { sqliteDialect } from "./dialect/sqlite.ts";
import { StoreLockedError, StoreSchemaError, StoreUnavailableError } from "./dialect/storeErrors.ts";
import { createStatements } from "./table.ts";
import { type Store, type Tables, tables } from "./tables.ts";

/** An open database with its notifications. */
export type OpenedStore = {
  readonly store: Store;
  /** Subscribes to commits, including those of other processes on the database. */
  readonly onCommit: OnCommit;
  /** Subscribes to changes of the API keys by other processes. */
  readonly onKeysChanged: OnCommit;
  /** Subscribes to changes of settings by this or another process. A database of one process never calls back. */
  readonly onSettingsChanged: (listener: (isOwn: boolean) => void) => void;
  /** Waits for running queries, then closes the database. */
  close(): Promise<void>;
};

type OpenStoreOptions = {
  readonly log?: StoreLog | undefined;
  /** Empties the database after its schema is up to date. Fails while another process uses it. */
  readonly reset?: ((store: Store) => Promise<void>) | undefined;
};

/** A dialect and its commit notifications, before the first query. */
type Connected = Pick<OpenedStore, "onCommit" | "onKeysChanged" | "onSettingsChanged"> & {
  readonly dialect: Dialect;
  /** Called once the schema is up to date. */
  start(reset: (() => Promise<void>) | undefined): Promise<{ stop(): Promise<void> }>;
  /** Resolves once the last connection is closed. */
  closed(): Promise<void>;
};

/**
 * Opens a database and brings its schema up to date.
 *
 * @param url `:memory:`, the path of a SQLite file with or without `sqlite:` before it, or `postgres://…`.
 */
export async function openStore(
  url: string,
  { log = () => {}, reset }: OpenStoreOptions = {},
): Promise<OpenedStore> {
  const location = storeLocation(url);
  const where = describeLocation(location);
  const connected = await connect(location, where, log).catch((cause: unknown) => {
    throw cause instanceof BaseError ? cause : new StoreUnavailableError({ cause, where });
  });
  const store = new Kysely<Tables>({ dialect: connected.dialect });
  try {
    await bringUpToDate(store, where);
    const listener = await connected.start(reset && (() => reset(store)));
    return {
      close: async () => {
        await listener.stop();
        await store.destroy();
        await connected.closed();
      },
      onCommit: connected.onCommit,
      onKeysChanged: connected.onKeysChanged,
      onSettingsChanged: connected.onSettingsChanged,
      store,
    };
  } catch (error) {
    await store.destroy();
    await connected.closed();
    throw error;
  }
}

async function connect(location: StoreLocation, where: string, log: StoreLog): Promise<Connected> {
  if (location.kind === "postgres") return connectPostgres(location.url, where, log);
  const { dialect, onCommit } = observeCommits(
    sqliteDialect(location.kind === "memory" ? ":memory:" : location.path),
  );
  return {
    closed: async () => {},
    dialect,
    onCommit,
    // No other process can use the database.
    onKeysChanged: () => {},
    onSettingsChanged: () => {},
    start: async (reset) => {
      await reset?.();
      return { stop: async () => {} };
    },
  };
}

async function connectPostgres(url: string, where: string, log: StoreLog): Promise<Connected> {
  const pg = await loadPg();
  const config = connectionOptions(pg, url);
  const pool = new pg.Pool(config);
  const outage = followOutage(log);
  // A broken idle connection leaves the pool; the next query gets another one.
  pool.on("error", (cause) => outage.lost(cause));
  // The pool removes its error listener from a connection in use. Without any, Node would exit; the query fails anyway.
  pool.on("connect", (client) => client.on("error", () => {}));
  const connections = trackConnections(pool);
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    await connections.closed();
    throw error;
  }
  const { dialect, onCommit } = observeCommits(postgresDialect(pool, outage));
  const committed: (() => void)[] = [];
  const keysChanged: (() => void)[] = [];
  const settingsChanged: ((isOwn: boolean) => void)[] = [];
  return {
    closed: connections.closed,
    dialect,
    onCommit: (listener) => {
      onCommit(listener);
      committed.push(listener);
    },
    onKeysChanged: (listener) => {
      keysChanged.push(listener);
    },
    onSettingsChanged: (listener) => {
      settingsChanged.push(listener);
    },
    start: (reset) =>
      listenToDatabase({
        Client: pg.Client,
        config,
        firstEnter:
          reset &&
          (async (client) => {
            if (await enterAlone(client, reset)) return;
            const remedy = "stop that one first, or start without --reset (`reset: true`)";
            throw new StoreLockedError({ remedy, where });
          }),
        isOwn: connections.isOwn,
        outage,
        notices: {
          onEvents: () => {
            for (const listener of committed) listener();
          },
          onKeys: () => {
            for (const listener of keysChanged) listener();
          },
          onSettings: (isOwn) => {
            for (const listener of settingsChanged) listener(isOwn);
          },
        },
      }),
  };
}

async function bringUpToDate(store: Store, where: string): Promise<void> {
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new StoreSchemaError({ cause: error, where });
}

/**
 * PostgreSQL only. Events become visible in the order of their `seq`: a trigger takes a lock before the number is drawn, and
 * the transaction holds it until the commit. The same trigger notifies the other processes at the commit; a rollback
 * notifies none.
 */
const eventOrder: readonly string[] = [
  `create function waybill_before_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${writersLock});
      perform pg_notify('${eventsChannel}', current_setting('application_name'));
      return null;
    end $$`,
  `create trigger events_in_order before insert on events
    for each statement execute function waybill_before_events()`,
];

async function createSchema(database: Kysely<unknown>): Promise<void> {
  const types = columnTypes(database);
  const statements = Object.entries(tables).flatMap(([name, table]) => createStatements(name, table, types));
  if (isPostgres(database)) statements.push(...eventOrder);
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** In order of their names. A migration that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-schema": { up: createSchema },
};

/** Location of a database. */
type StoreLocation =
  | { readonly kind: "memory" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };

/** A scheme has two letters or more; a single letter is a drive. */
const scheme = /^([a-z][a-z0-9+.-]+):/i;

/**
 * Parses the location of a database.
 *
 * @throws InvalidParameterError for any other text. The message does not repeat it: it may contain a password.
 */
function storeLocation(url: string): StoreLocation {
  const name = scheme.exec(url)?.[1]?.toLowerCase();
  if (name === "postgres" || name === "postgresql") return { kind: "postgres", url: readable(url) };
  if (name !== undefined && name !== "sqlite") {
    throw invalid(`there is no database for the scheme \`${name}:\``);
  }
  const path = name === undefined ? url : url.slice("sqlite:".length).replace(/^\/\//, "");
  if (path === ":memory:") return { kind: "memory" };
  if (path === "" || path.includes("\0")) throw invalid("it names no file");
  return { kind: "file", path };
}

/** A location for messages and logs, without user and password. */
function describeLocation(location: StoreLocation): string {
  if (location.kind === "memory") return "the database in memory";
  if (location.kind === "file") return location.path;
  const { host, pathname } = new URL(location.url);
  return `postgres://${host}${pathname}`;
}

function readable(url: string): string {
  if (!URL.canParse(url)) throw invalid("it is not a URL");
  return url;
}

function invalid(reason: string): InvalidParameterError {
  return new InvalidParameterError({ parameter: "database", reason });
}
