import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import { refuseHost } from "../../access/hostRule.ts";
import { PortInUseError } from "../../access/ports.ts";
import { refuseUpgrade, type Upgrades } from "../../access/upgrades.ts";
import { type Fetch, writeAnswers } from "../body/jsonAnswer.ts";
import { serveInOrder } from "./serveInOrder.ts";

/** A running HTTP server. */
export type Listening = { readonly url: string; close(): Promise<void> };

/** Limits for clients, in milliseconds and bytes. A connection beyond a limit is closed. */
export type ClientLimits = {
  /** Time to send the headers, from connecting or from reading the previous answer. */
  readonly headersMs: number;
  /** Time to send the whole request. */
  readonly requestMs: number;
  /** Time to read an answer. */
  readonly answerMs: number;
  /** Time until the next request on the same connection. */
  readonly idleMs: number;
  /** Interval of the checks; a limit may be exceeded by this much. */
  readonly lookMs: number;
  /** Unread bytes of all clients together; beyond it, the longest waiting connections are closed. */
  readonly unreadBytes: number;
};

const defaultLimits: ClientLimits = {
  answerMs: 30_000,
  headersMs: 10_000,
  idleMs: 5_000,
  lookMs: 1_000,
  requestMs: 30_000,
  unreadBytes: 256 * 1024 * 1024,
};
/** Maximum delay of a stop by running requests, in milliseconds. */
const closeGraceMs = 2_000;

/**
 * Serves a fetch handler over HTTP, and upgrades on the same port.
 *
 * @throws PortInUseError if another process uses the port.
 */
export async function listen(
  fetch: Fetch,
  {
    hostname,
    limits = {},
    port,
    upgrades,
  }: { hostname: string; limits?: Partial<ClientLimits>; port: number; upgrades: Upgrades },
): Promise<Listening> {
  const { answerMs, headersMs, idleMs, lookMs, requestMs, unreadBytes } = { ...defaultLimits, ...limits };
  const { turnOf } = serveInOrder();
  const server = createAdaptorServer({
    fetch: writeAnswers(async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const isOpen = await turnOf(incoming.socket, env.outgoing as ServerResponse);
      // The client is gone.
      if (!isOpen) return new Response(null, { status: 503 });
      const refusal = refuseHost(incoming, hostname);
      if (refusal === undefined) return fetch(request, env);
      const { status, ...body } = refusal;
      return Response.json(body, { status });
    }),
    hostname,
    // The process keeps the platform's own global Request and Response.
    overrideGlobalObjects: false,
    serverOptions: {
      // Node's default of 30 s would let a client with a limit of 10 s take 40 s.
      connectionsCheckingInterval: lookMs,
      headersTimeout: headersMs,
      keepAliveTimeout: idleMs,
      requestTimeout: requestMs,
      // Clients that offer an upgrade to HTTP/2 are answered over HTTP/1.1.
      shouldUpgradeCallback: isForWebsocket,
    },
  }) as Server;
  cutSlowReaders(server, { limitMs: answerMs, lookMs, unreadBytes });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refusal = refuseHost(request, hostname);
    if (refusal !== undefined) refuseUpgrade(socket, refusal.status, refusal.message, refusal.errorCode);
    else if (isForWebsocket(request)) upgrades.upgrade(request, socket, head);
    // Reached only on Node releases without the option above.
    else refuseUpgrade(socket, 400, "Only websockets are upgraded to", "INVALID_REQUEST");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortInUseError({ hostname, port }) : error),
    );
    server.listen(port, hostname, resolve);
  });
  const address = server.address() as AddressInfo;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    close: async () => {
      const closed = closeServer(server);
      await upgrades.close();
      await closed;
    },
    url: `http://${host}:${address.port}`,
  };
}

function isForWebsocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    server.close((error) => {
      clearTimeout(grace);
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });
}

/**
 * Closes connections of clients that do not read their answers: unread bytes stay in memory, and Node waits for them without
 * limit. Occasional small reads do not extend the limit.
 *
 * Connections that wait for an answer, and websockets, are not affected.
 *
 * @param limitMs Maximum time with unread bytes, in milliseconds.
 * @param lookMs Interval of the checks, in milliseconds.
 * @param unreadBytes Maximum unread bytes of all connections together; beyond it, the longest waiting are closed first.
 */
function cutSlowReaders(
  server: Server,
  {
    limitMs,
    lookMs,
    unreadBytes,
  }: { readonly limitMs: number; readonly lookMs: number; readonly unreadBytes: number },
): void {
  /** Start of each connection's unread period; `undefined` without unread bytes. */
  const unreadSince = new Map<Socket, number | undefined>();
  server.on("connection", (socket: Socket) => {
    unreadSince.set(socket, undefined);
    socket.once("close", () => unreadSince.delete(socket));
  });
  server.on("upgrade", (_, socket) => unreadSince.delete(socket as Socket));
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, since] of unreadSince) {
      if (socket.writableLength === 0) unreadSince.set(socket, undefined);
      else if (since === undefined) unreadSince.set(socket, now);
      else if (now - since >= limitMs) socket.destroy();
    }
    cutBeyond(unreadBytes, unreadSince);
  }, lookMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

function cutBeyond(unreadBytes: number, unreadSince: ReadonlyMap<Socket, number | undefined>): void {
  const unread = [...unreadSince].filter(([socket]) => !socket.destroyed && socket.writableLength > 0);
  let total = unread.reduce((sum, [socket]) => sum + socket.writableLength, 0);
  if (total <= unreadBytes) return;
  for (const [socket] of unread.sort(([, one = 0], [, other = 0]) => one - other)) {
    if (total <= unreadBytes) return;
    total -= socket.writableLength;
    socket.destroy();
  }
}
