import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Handler of connections that upgrade from HTTP. */
export type Upgrades = {
  /** Takes over the connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the connections that were taken over; the server waits for them. */
  close(): Promise<void>;
};

/** Refuses an upgrade with an error body of the API's usual shape and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, message: string, errorCode: string): void {
  const body = JSON.stringify({ errorCode, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // Without this, a client that never closes its side keeps the connection open.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
