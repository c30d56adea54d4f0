import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

/** A connection that sends only the bytes that a test writes. */
export type RawClient = {
  readonly socket: Socket;
  /** Received text; empty while the client does not read. */
  received(): string;
  /** Resolves with the connection's duration, in milliseconds. */
  readonly ended: Promise<number>;
};

/**
 * Connects to an HTTP server by a plain socket.
 *
 * @param reads Whether the client reads.
 */
export async function connectRaw(url: string, { reads = true } = {}): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const begin = performance.now();
  let received = "";
  if (reads) {
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
  } else {
    socket.pause();
  }
  // Many tests expect the server to close the connection.
  socket.on("error", () => undefined);
  const ended = new Promise<number>((resolve) => {
    socket.once("close", () => resolve(performance.now() - begin));
  });
  return { ended, received: () => received, socket };
}

/** Writes a text byte by byte for as long as the connection lasts. */
export function drip({ socket }: RawClient, text: string, everyMs: number): void {
  let index = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(text.charAt(index++ % text.length));
  }, everyMs);
  socket.once("close", () => clearInterval(timer));
}
