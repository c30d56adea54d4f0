import { CompiledQuery, type Dialect, PostgresDialect, PostgresQueryCompiler } from "kysely";
import type { ClientConfig, CustomTypesConfig, Pool } from "pg";
import type { Outage } from "./connectionLoss.ts";
import { writersLock } from "./postgresNames.ts";
import { reconnecting } from "./reconnect.ts";
import { StorePackageMissingError } from "./storeErrors.ts";
import { withoutNul } from "./withoutNul.ts";

type Pg = typeof import("pg")["default"];

const packageName = "pg";
/** PostgreSQL's number for its 64-bit integer type. */
const int8 = 20;
/** How long a connection may take, in milliseconds. */
const connectTimeoutMs = 10_000;

/**
 * Loads the driver, which is only needed where a PostgreSQL database is used.
 *
 * @throws StorePackageMissingError with the command that installs it.
 */
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

/** Options of every connection: 64-bit integers are read as numbers, without a change to the driver for others. */
export function connectionOptions(pg: Pg, url: string): ClientConfig {
  const getTypeParser = ((oid: number, format?: "text" | "binary") =>
    oid === int8 && format !== "binary"
      ? parseInt8
      : pg.types.getTypeParser(oid, format as "text")) as CustomTypesConfig["getTypeParser"];
  return { connectionString: url, connectionTimeoutMillis: connectTimeoutMs, types: { getTypeParser } };
}

/**
 * Lets Kysely speak to PostgreSQL. Transactions that may write run one after the other, as they do in SQLite: what was read
 * in one is still true when it writes, and events become visible in the order of their numbers. It outlives the loss of
 * connections.
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
        // One after the other for the server, one message for the network.
        const isolation =
          settings.isolationLevel === undefined ? "" : ` isolation level ${settings.isolationLevel}`;
        await connection.executeQuery(
          CompiledQuery.raw(
            `start transaction${isolation}; select pg_advisory_xact_lock(${writersLock.toString()})`,
          ),
        );
      };
      return reconnecting(driver, outage);
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

/** The connections of a pool. */
export type Connections = {
  /** Whether a connection of the server, by its number there, is one of the pool. */
  isOwn(processId: number): boolean;
  /** Resolves once none is left: the pool itself says that it has ended before its connections have. */
  closed(): Promise<void>;
};

/** Follows which connections a pool has; to be called before it has any. */
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

/** The driver knows the number and its types do not say so. */
function backendOf(client: object): number {
  return "processID" in client ? Number(client.processID) : -1;
}
