import type { Pool } from "pg";

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
