import { CompiledQuery, type Dialect, PostgresDialect, PostgresQueryCompiler } from "kysely";
import type { Client, ClientConfig, CustomTypesConfig, Pool } from "pg";
import { withoutNul } from "./columnTypes.ts";
import { type Outage, reportLosses } from "./connectionLoss.ts";
import {
  type Connection,
  enter,
  eventsChannel,
  keysChannel,
  settingsChannel,
  writersLock,
} from "./presence.ts";
import { StorePackageMissingError } from "./storeErrors.ts";

type Pg = typeof import("pg")["default"];

const packageName = "pg";
/** PostgreSQL's type id of 64-bit integers. */
const int8 = 20;
/** Time limit of a connection attempt in milliseconds. */
const connectTimeoutMs = 10_000;

/** Loads the driver, which only PostgreSQL databases need. */
export async function loadPg(load: () => Promise<{ default: Pg }> = () => import("pg")): Promise<Pg> {
  try {
    return (await load()).default;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND") {
      throw new StorePackageMissingError({ cause, packageName });
    }
    throw cause;
  }
}

/** Options of every connection. 64-bit integers are read as numbers, without a global change of the driver. */
export function connectionOptions(pg: Pg, url: string): ClientConfig {
  const getTypeParser = ((oid: number, format?: "text" | "binary") =>
    oid === int8 && format !== "binary"
      ? parseInt8
      : pg.types.getTypeParser(oid, format as "text")) as CustomTypesConfig["getTypeParser"];
  return { connectionString: url, connectionTimeoutMillis: connectTimeoutMs, types: { getTypeParser } };
}

/**
 * The dialect of PostgreSQL. Writing transactions run one at a time, as in SQLite: their reads stay valid until they write,
 * and events become visible in the order of their numbers. The pool replaces lost connections.
 */
export function postgresDialect(pool: Pool, outage: Outage): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const begin = driver.beginTransaction.bind(driver);
      driver.beginTransaction = async (connection, settings) => {
        if (settings.accessMode === "read only") return begin(connection, settings);
        // Two statements in one network message.
        const isolation =
          settings.isolationLevel === undefined ? "" : ` isolation level ${settings.isolationLevel}`;
        await connection.executeQuery(
          CompiledQuery.raw(
            `start transaction${isolation}; select pg_advisory_xact_lock(${writersLock.toString()})`,
          ),
        );
      };
      return reportLosses(driver, outage);
    },
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => new TextCompiler(),
  };
}

class TextCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(withoutNul(parameter));
  }
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is more than a number holds exactly`);
}

type Connections = {
  /** Whether a server connection, by its process id, belongs to the pool. */
  isOwn(processId: number): boolean;
  /** Resolves once all are closed. The pool itself resolves its end earlier. */
  closed(): Promise<void>;
};

/** Tracks the connections of a pool. Call it before the first connection. */
export function trackConnections(pool: Pool): Connections {
  const own = new Map<object, number>();
  const waiting: (() => void)[] = [];
  pool.on("connect", (client) => own.set(client, backendOf(client)));
  pool.on("remove", (client) => {
    own.delete(client);
    if (own.size === 0) for (const resolve of waiting.splice(0)) resolve();
  });
  return {
    closed: async () => {
      if (own.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    isOwn: (processId) => [...own.values()].includes(processId),
  };
}

/** Reads the process id, which the driver's types omit. */
function backendOf(client: object): number {
  return "processID" in client ? Number(client.processID) : -1;
}

type Notices = {
  /** Events were committed. */
  readonly onEvents: () => void;
  /** The API keys changed. */
  readonly onKeys: () => void;
  /** Settings changed, by this process or another. */
  readonly onSettings: (isOwn: boolean) => void;
};

type Listener = { stop(): Promise<void> };

const firstRetryMs = 100;
const longestRetryMs = 5_000;

/**
 * Listens for notifications of the database's other processes, and reconnects after a loss. Each new connection runs all
 * callbacks once, because notifications may have been missed.
 */
export async function listenToDatabase(parameters: {
  readonly Client: new (config: ClientConfig) => Client;
  readonly config: ClientConfig;
  /** Whether a server connection belongs to this process, whose listeners have been notified already. */
  readonly isOwn: (processId: number) => boolean;
  readonly notices: Notices;
  readonly outage: Outage;
  /** Marks the database as in use at the first connection; later ones do it themselves. @default enter */
  readonly firstEnter?: ((connection: Connection) => Promise<void>) | undefined;
}): Promise<Listener> {
  const { Client, config, firstEnter = enter, isOwn, notices, outage } = parameters;
  let isStopped = false;
  let retryMs = firstRetryMs;
  let retry: NodeJS.Timeout | undefined;
  let current: Client | undefined;

  const connect = async (mark: typeof enter) => {
    const client = new Client({ ...config, keepAlive: true });
    current = client;
    client.on("notification", ({ channel, processId }) => {
      if (channel === settingsChannel) return notices.onSettings(isOwn(processId));
      if (isOwn(processId)) return;
      if (channel === keysChannel) notices.onKeys();
      else notices.onEvents();
    });
    client.on("error", (cause) => lost(client, cause));
    client.on("end", () => lost(client, new Error("the connection ended")));
    await client.connect();
    await mark(client);
    await client.query(`listen ${eventsChannel}; listen ${keysChannel}; listen ${settingsChannel}`);
    retryMs = firstRetryMs;
  };
  const lost = (client: Client, cause: Error) => {
    if (isStopped || client !== current) return;
    current = undefined;
    outage.lost(cause);
    client.end().catch(() => {});
    later();
  };
  const later = () => {
    retry = setTimeout(() => {
      connect(enter).then(
        () => {
          notices.onEvents();
          notices.onKeys();
          notices.onSettings(false);
        },
        (cause: Error) => {
          if (current !== undefined) lost(current, cause);
        },
      );
    }, retryMs);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  };

  const stop = async () => {
    isStopped = true;
    clearTimeout(retry);
    await current?.end().catch(() => {});
  };
  try {
    await connect(firstEnter);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
