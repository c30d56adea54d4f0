import type { Client } from "../client/internal/Client.ts";
import { assertKeyStaysPrivate } from "../internal/assertKeyStaysPrivate.ts";
import { backoffDelay } from "../internal/backoff.ts";
import { assertFunction, assertNumber, assertValid, readText } from "../internal/readParts.ts";
import { production, testnet } from "../internal/serviceAddresses.ts";
import { type ConnectStreamParameters, connectStream, type WebSocketConstructor } from "./connectStream.ts";
import type { StatusStream, StatusStreamListener } from "./StatusStream.ts";

export type WebsocketStreamParameters = {
  /**
   * Sent in the query of `url`, because browsers cannot set websocket headers. Default: the client's, for the public
   * service only.
   */
  apiKey?: string | undefined;
  /** Time limit for a connection to go live, in milliseconds. Default: 5000. */
  connectTimeout?: number | undefined;
  /** A `ws:` or `wss:` URL. Default: the public service's, for its clients. */
  url?: string | undefined;
  /** Default: the platform's. Accepts that of the package `ws`. */
  WebSocket?: WebSocketConstructor | undefined;
};

export type WebsocketStreamReturnType = StatusStream;

/**
 * Creates a status stream over the service's websocket, in browsers and Node. Pass it as `stream` to `watchRequest` or
 * `waitForRequest`, which poll whenever it is not live.
 *
 * Reconnects after a pause with full jitter, which doubles with every connection that did not go live.
 *
 * @throws InvalidParameterError for an invalid parameter. An invalid `url` fails the watch or `execute`, which then pays nothing, as does a missing one for a
 * service other than `production` and `testnet`, and a key for `ws` to another machine.
 *
 * @example
 * import { createClient, production, watchRequest, websocketStream } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * for await (const { status } of watchRequest(createClient(production), { requestId, stream: websocketStream() })) {
 *   console.log(status);
 * }
 */
export function websocketStream(parameters: WebsocketStreamParameters = {}): WebsocketStreamReturnType {
  const { apiKey, connectTimeout = 5_000, url, WebSocket } = parameters;
  if (WebSocket !== undefined) assertFunction("WebSocket", WebSocket);
  assertNumber("connectTimeout", connectTimeout, 1);
  if (apiKey !== undefined) readText(apiKey, "apiKey");
  const stream: StatusStream = (client, listener) => {
    const address = addressFor(client, { apiKey, url });
    const Socket = WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
    if (Socket === undefined) return;
    void keepConnected(client, listener, { connectTimeout, url: address, WebSocket: Socket });
  };
  stream.check = (client) => void addressFor(client, { apiKey, url });
  return stream;
}

/** Builds the URL. The client's key must reach only the service's host. */
function addressFor(
  client: Client,
  { apiKey, url }: { apiKey: string | undefined; url: string | undefined },
): string {
  const { host } = new URL(client.baseUrl);
  const own = [production, testnet].find(({ baseUrl }) => new URL(baseUrl).host === host)?.wsUrl;
  const address = url ?? own;
  const isAddress = typeof address === "string" && /^wss?:/i.test(address) && URL.canParse(address);
  assertValid(isAddress, "url", "not a ws or wss address, such as an emulator's `info.wsUrl`");
  const parsed = new URL(address);
  const key = apiKey ?? (own !== undefined && parsed.origin === own ? client.apiKey : undefined);
  assertKeyStaysPrivate(key, parsed, "url");
  if (key !== undefined) parsed.searchParams.set("apiKey", key);
  return parsed.href;
}

/** Minimum lifetime of a successful connection, in milliseconds. After a shorter one, the pause grows. */
const steadyAfter = 10_000;
const reconnects = { baseDelay: 500, maxDelay: 30_000 };

/**
 * Reconnects to the stream until the listener's signal fires, with full jitter: a restart of the service closes many
 * connections at once.
 *
 * @returns When the signal fires; never rejects.
 */
async function keepConnected(
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
