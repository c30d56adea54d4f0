import type { Client } from "../client/internal/Client.ts";
import { backoffDelay } from "../internal/backoff.ts";
import { type ConnectStreamParameters, connectStream } from "./connectStream.ts";
import type { StatusStreamListener } from "./StatusStream.ts";

/** Minimum lifetime of a successful connection, in milliseconds. After a shorter one, the pause grows. */
const steadyAfter = 10_000;
const reconnects = { baseDelay: 500, maxDelay: 30_000 };

/**
 * Reconnects to the stream until the listener's signal fires, with full jitter: a restart of the service closes many
 * connections at once.
 *
 * @returns When the signal fires; never rejects.
 */
export async function keepConnected(
  client: Client,
  listener: StatusStreamListener,
  parameters: ConnectStreamParameters,
): Promise<void> {
  const { signal } = listener;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const startedAt = client.now();
    await connectStream(client, listener, parameters);
    if (client.now() - startedAt >= steadyAfter) attempt = 1;
    const pause = backoffDelay(attempt, reconnects, client.random);
    // Rejects when the signal fires, which ends the loop.
    await client.sleep(pause, signal).catch(() => undefined);
  }
}
