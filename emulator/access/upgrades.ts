import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** What becomes of connections that stop speaking HTTP. */
export type Upgrades = {
  /** Takes the connection over. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the connections that were taken over; the server waits for them. */
  close(): Promise<void>;
};

/** Answers a request for an upgrade in the shape of every other error, and ends the connection. */
export function refuseUpgrade(socket: Duplex, status: number, message: string, errorCode: string): void {
  const body = JSON.stringify({ errorCode, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // A client that never ends its side would keep the connection.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
