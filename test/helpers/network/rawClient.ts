import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

/** A connection that says what a test writes, and nothing else. */
export type RawClient = {
  readonly socket: Socket;
  /** What came back so far; nothing while it does not read. */
  received(): string;
  /** Resolves with how long the connection lasted, in milliseconds. */
  readonly ended: Promise<number>;
};

/**
 * Connects to an HTTP server without speaking HTTP by itself.
 *
 * @param reads Whether it takes what is sent to it.
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
  // That the other side hangs up is what many tests wait for.
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
