import type { Client, ClientConfig } from "pg";
import type { Outage } from "./connectionLoss.ts";
import { type Connection, enter, eventsChannel, keysChannel, settingsChannel } from "./presence.ts";

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
