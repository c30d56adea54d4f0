import type { IncomingMessage, Server, ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import {
  type Refusal,
  refusalLine,
  refuseHost,
  refuseUpgrade,
  type Upgrades,
} from "../../access/hostRule.ts";
import { PortInUseError } from "../../access/ports.ts";
import type { Context } from "../../context/Context.ts";
import { type Fetch, writeAnswers } from "../body/jsonAnswer.ts";

/** A running HTTP server. */
export type Listening = { readonly url: string; close(): Promise<void> };

/** Maximum delay of a stop by running requests, in milliseconds. */
const closeGraceMs = 2_000;

/** Serves a fetch handler over HTTP, and upgrades on the same port. */
export async function listen(
  fetch: Fetch,
  {
    hostname,
    log,
    port,
    upgrades,
  }: Pick<Context, "log"> & { hostname: string; port: number; upgrades: Upgrades },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: writeAnswers(async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const refusal = refuseHost(incoming, hostname);
      if (refusal === undefined) return fetch(request, env);
      log(refusalLine(incoming, refusal));
      const { status, ...body } = refusal;
      return Response.json(body, { status });
    }),
    hostname,
    // The process keeps the platform's own global Request and Response.
    overrideGlobalObjects: false,
    serverOptions: onlyWebsocketUpgrades,
  }) as Server;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const upgrade = () => (isForWebsocket(request) ? upgrades.upgrade(request, socket, head) : notWebsocket);
    const refusal = refuseHost(request, hostname) ?? upgrade();
    if (refusal === undefined) return;
    log(refusalLine(request, refusal));
    refuseUpgrade(socket, refusal);
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

/** Only on Node releases without the option below. */
const notWebsocket: Refusal = {
  errorCode: "INVALID_REQUEST",
  message: "Only websockets are upgraded to",
  status: 400,
};

/** Clients that offer an upgrade to HTTP/2 are answered over HTTP/1.1. The oldest supported types of Node lack the option. */
const onlyWebsocketUpgrades: ServerOptions & {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
} = { shouldUpgradeCallback: isForWebsocket };

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
