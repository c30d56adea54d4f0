import type { Client, ClientConfig } from "pg";
import type { Outage } from "./connectionLoss.ts";
import { eventsChannel, keysChannel, settingsChannel } from "./postgresNames.ts";
import { type Connection, enter } from "./presence.ts";

/** What processes tell of. */
export type Notices = {
  /** Events were committed. */
  readonly onEvents: () => void;
  /** The API keys changed. */
  readonly onKeys: () => void;
  /** What was set by hand changed, by this process or another. */
  readonly onSettings: (isOwn: boolean) => void;
};

/** One process's ear. */
export type Listener = { stop(): Promise<void> };

const firstRetryMs = 100;
const longestRetryMs = 5_000;

/**
 * Listens to the other processes that use the database, and keeps listening when the connection is lost: whoever follows
 * is told once more after each new connection, because of what may have been missed.
 */
export async function listenToDatabase(parameters: {
  readonly Client: new (config: ClientConfig) => Client;
  readonly config: ClientConfig;
  /** Whether a connection of the server is one of this process: it has told its own listeners already. */
  readonly isOwn: (processId: number) => boolean;
  readonly notices: Notices;
  readonly outage: Pick<Outage, "lost">;
  /** Marks the database as in use at the first connection; those that replace it do so by themselves. @default enter */
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
