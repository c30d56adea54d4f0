import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

/** A connection that sends only the bytes that a test writes. */
export type RawClient = {
  readonly socket: Socket;
  /** Received text. */
  received(): string;
  /** Resolves with the connection's duration, in milliseconds. */
  readonly ended: Promise<number>;
};

/** Connects to an HTTP server by a plain socket. */
export async function connectRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const begin = performance.now();
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  // Many tests expect the server to close the connection.
  socket.on("error", () => undefined);
  const ended = new Promise<number>((resolve) => {
    socket.once("close", () => resolve(performance.now() - begin));
  });
  return { ended, received: () => received, socket };
}
