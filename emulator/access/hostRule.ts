import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { LogEntry } from "../log/LogEntry.ts";

/** A refusal that is sent before the request is read. */
export type Refusal = { readonly status: number; readonly message: string; readonly errorCode: string };

/** The line of the log about a refusal: without the query, which can hold a key. */
export function refusalLine(
  { method, url = "" }: IncomingMessage,
  { errorCode, message, status }: Refusal,
): LogEntry {
  const [path = ""] = url.replace(/[^\x20-\x7e]/g, "?").split("?", 1);
  return { level: "info", message: `${method} ${path} ${status} ${errorCode}: ${message}` };
}

/** Host names that public DNS cannot resolve to an attacker's address. */
const localNames = /^(?:localhost|.+\.localhost|host\.docker\.internal)$/;

/**
 * Checks the Host header against DNS rebinding: an attacker's page may resolve its own name to this machine and then
 * shares the origin. A server on loopback therefore serves only literal addresses and local names.
 */
export function refuseHost(request: IncomingMessage, hostname: string): Refusal | undefined {
  const hosts = hostsOf(request);
  if (hosts.length > 1) {
    return { errorCode: "INVALID_REQUEST", message: "There is more than one Host header", status: 400 };
  }
  const [host] = hosts;
  // HTTP/1.0 clients send no Host header; browsers always do.
  if (host === undefined || !isLoopback(hostname) || isLocal(host, hostname)) return undefined;
  return { errorCode: "HOST_NOT_ALLOWED", message: "This host is not served here", status: 403 };
}

/** Reads raw headers, because Node keeps only the first of two Host headers. */
function hostsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "");
  }
  return hosts;
}

/** Whether an address to listen on, or the name of a Host header, is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(?:\.\d+){1,3}$/.test(hostname);
}

function isLocal(host: string, hostname: string): boolean {
  const name = hostnameOf(host);
  return isIP(name) !== 0 || localNames.test(name) || name === hostname.toLowerCase();
}

/** Name or address of a Host header, without its port and brackets. */
export function hostnameOf(host: string): string {
  return host
    .replace(/:\d*$/, "")
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1");
}

/**
 * Whether a browser page may use a resource that CORS does not protect, such as a websocket: browsers send the page's origin
 * and leave the decision to the server. Requests without an origin and of the server's own origin are allowed.
 */
export function isOriginAllowed(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  cors: CorsOrigins,
): boolean {
  if (origin === undefined || cors === true) return true;
  if (host !== undefined && origin === `http://${host}`) return true;
  return cors !== false && cors.includes(origin);
}

/** Browser origins that may read responses: any (`true`), a list, or none (`false`). */
export type CorsOrigins = boolean | readonly string[];

/** Handler of connections that upgrade from HTTP. */
export type Upgrades = {
  /** Takes over the connection, or refuses to. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Refusal | undefined;
  /** Closes the connections that were taken over; the server waits for them. */
  close(): Promise<void>;
};

/** Refuses an upgrade with an error body of the API's usual shape and closes the connection. */
export function refuseUpgrade(socket: Duplex, { errorCode, message, status }: Refusal): void {
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
