import { type Dialect, Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { BaseError } from "../../src/errors/BaseError.ts";
import { followOutage, type StoreLog } from "./dialect/connectionLoss.ts";
import { listenToDatabase } from "./dialect/listenToDatabase.ts";
import { type OnCommit, observeCommits } from "./dialect/observeCommits.ts";
import { connectionOptions, loadPg, postgresDialect, trackConnections } from "./dialect/postgres.ts";
import { enterAlone } from "./dialect/presence.ts";
import { sqliteDialect } from "./dialect/sqlite.ts";
import { StoreLockedError, StoreSchemaError, StoreUnavailableError } from "./dialect/storeErrors.ts";
import { migrations } from "./migrations.ts";
import { describeLocation, type StoreLocation, storeLocation } from "./storeLocation.ts";
import type { Store, Tables } from "./tables.ts";

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
