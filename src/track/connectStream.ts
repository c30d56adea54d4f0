import type { Client } from "../client/internal/Client.ts";
import { statusUpdatedEvent } from "../schema/request/statusUpdate.ts";
import { type WebsocketUpdate, websocketMessageSchema } from "../schema/request/websocketMessage.ts";
import type { StatusStreamListener } from "./StatusStream.ts";

/** Maximum length of a frame; an update has a few hundred characters. */
const longestFrame = 65_536;

/** The used part of a websocket of the platform or the package `ws`. */
export type WebSocketLike = {
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  close(): void;
  send(data: string): void;
  /** Closes without waiting for the peer. Only in the package `ws`. */
  terminate?: (() => void) | undefined;
};

/** Creates a websocket that connects to a URL. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

export type ConnectStreamParameters = {
  /** Milliseconds. */
  connectTimeout: number;
  /** Contains the API key; must not reach a message. */
  url: string;
  WebSocket: WebSocketConstructor;
};

/**
 * Connects to the stream, subscribes to a request, and listens until the connection breaks, misses its deadline to go
 * live, or the listener's signal fires. Does not report the error, which may contain the URL.
 *
 * @returns When the connection ends; never rejects.
 */
export async function connectStream(
  client: Client,
  listener: StatusStreamListener,
  { connectTimeout, url, WebSocket }: ConnectStreamParameters,
): Promise<void> {
  const { onDown, requestId, signal } = listener;
  const connecting = new AbortController();
  let socket: WebSocketLike | undefined;
  let isLive = false;
  try {
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true, signal: connecting.signal });
      if (signal.aborted) return resolve();
      const opened = new WebSocket(url);
      socket = opened;
      let isSubscribed = false;
      const goLive = () => {
        if (isLive) return;
        isLive = true;
        listener.onLive();
      };
      opened.onclose = () => resolve();
      opened.onerror = () => resolve();
      opened.onmessage = ({ data }: { data: unknown }) => {
        const frame = readStreamFrame(data, requestId);
        if (frame?.kind === "ready" && !isSubscribed) {
          isSubscribed = true;
          subscribe(opened, requestId, resolve);
        } else if (frame?.kind === "refused") {
          resolve();
        } else if (frame?.kind === "subscribed" && isSubscribed) {
          goLive();
        } else if (frame?.kind === "update") {
          listener.onUpdate(frame.update);
        }
      };
      client.sleep(connectTimeout, connecting.signal).then(
        () => isLive || resolve(),
        () => undefined,
      );
    });
  } catch {
    // The constructor threw: the platform rejects the URL or forbids the connection.
  } finally {
    connecting.abort();
    if (socket !== undefined) drop(socket);
    if (isLive) onDown();
  }
}

function subscribe(socket: WebSocketLike, requestId: string, giveUp: () => void): void {
  try {
    socket.send(JSON.stringify({ event: statusUpdatedEvent, filters: { id: requestId }, type: "subscribe" }));
  } catch {
    giveUp();
  }
}

/** Releases a socket in any state. */
function drop(socket: WebSocketLike): void {
  socket.onmessage = null;
  socket.onclose = null;
  // Some sockets emit an error when closed before they open. Unhandled, it ends a Node process.
  socket.onerror = () => undefined;
  try {
    socket.close();
    // The peer may never respond, and the wait would keep the process alive.
    socket.terminate?.();
  } catch {
    // Already closed.
  }
}

/** A parsed frame of the stream. */
type StreamFrame =
  | { readonly kind: "ready" | "refused" | "subscribed" }
  | { readonly kind: "update"; readonly update: WebsocketUpdate };

/**
 * Parses an untrusted frame of the stream.
 *
 * @returns `undefined` for another message, or another request.
 */
function readStreamFrame(data: unknown, requestId: string): StreamFrame | undefined {
  if (typeof data !== "string" || data.length > longestFrame) return undefined;
  const message = websocketMessageSchema.safeParse(parse(data)).data;
  if (message === undefined) return undefined;
  const isOurs = (id: string | undefined) => id === undefined || id.toLowerCase() === requestId.toLowerCase();
  if ("type" in message) {
    const { data: about, status, type } = message;
    if (type === "connection") return status === "ready" ? { kind: "ready" } : undefined;
    if (type !== "subscribe" || !isOurs(about?.filters?.id)) return undefined;
    return { kind: status === "success" ? "subscribed" : "refused" };
  }
  const { data: update, event } = "event" in message ? message : message.data;
  return event === statusUpdatedEvent && isOurs(update.requestId) ? { kind: "update", update } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
