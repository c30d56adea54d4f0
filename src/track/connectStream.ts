import type { Client } from "../client/internal/Client.ts";
import { statusUpdatedEvent } from "../schema/request/statusUpdate.ts";
import { readStreamFrame } from "./readStreamFrame.ts";
import type { StatusStreamListener } from "./StatusStream.ts";

/** The part of a websocket that is used: the platform's has it, and that of the package `ws`. */
export type WebSocketLike = {
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  close(): void;
  send(data: string): void;
  /** Closes without waiting for the other side; the platform's sockets do not have it. */
  terminate?: (() => void) | undefined;
};

/** Makes a websocket that connects to an address. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** Parameters of {@link connectStream}. */
export type ConnectStreamParameters = {
  /** Milliseconds. */
  connectTimeout: number;
  /** With the API key, so it must not reach a message. */
  url: string;
  WebSocket: WebSocketConstructor;
};

/**
 * Makes one connection to the stream, subscribes to a request, and listens until it breaks, does not go live in time, or
 * the listener's signal fires. Its error is not reported: it could quote the address.
 *
 * @returns Once it is over; never rejects.
 *
 * @example
 * await connectStream(client, listener, { connectTimeout: 5_000, url: "ws://127.0.0.1:4000/ws", WebSocket });
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
    // The constructor threw: an address that the platform does not allow, or no right to connect.
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

/** Lets go of a socket in any state. */
function drop(socket: WebSocketLike): void {
  socket.onmessage = null;
  socket.onclose = null;
  // Some sockets report an error when closed before they open. Unhandled, it ends a Node process.
  socket.onerror = () => undefined;
  try {
    socket.close();
    // The other side may never answer, and the wait for it would keep a process alive.
    socket.terminate?.();
  } catch {
    // It was closed already.
  }
}
