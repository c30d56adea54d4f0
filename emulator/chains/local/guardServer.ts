import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  type CorsOrigins,
  isOriginAllowed,
  type Refusal,
  refusalLine,
  refuseHost,
  refuseUpgrade,
} from "../../access/hostRule.ts";
import type { LogEntry } from "../../log/LogEntry.ts";

/** Channel on which Node publishes each request before the server's listeners run. */
const channel = "http.server.request.start";

const anyAddresses: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

type Rules = {
  readonly cors: CorsOrigins;
  readonly hostname: string;
  readonly log: (entry: LogEntry) => void;
  /** Name of the chain, for the log. */
  readonly name: string;
};

const originRefusal: Refusal = {
  errorCode: "ORIGIN_NOT_ALLOWED",
  message: "Pages of this origin may not use the JSON-RPC",
  status: 403,
};

/**
 * Applies the API's host and CORS rules to the JSON-RPC server of a chain. Hardhat's server answers every page and does not
 * expose its HTTP server, which is found by a first request.
 */
export async function guardServer(port: number, { cors, hostname, log, name }: Rules): Promise<void> {
  const server = await findServer(port, anyAddresses[hostname] ?? hostname);
  const judge = (message: IncomingMessage): Refusal | undefined => {
    const origin = isOriginAllowed(message.headers, cors) ? undefined : originRefusal;
    const refusal = refuseHost(message, hostname) ?? origin;
    if (refusal === undefined) return undefined;
    const line = refusalLine(message, refusal);
    log({ ...line, message: `${name}: ${line.message}` });
    return refusal;
  };
  replace(server, "request", (message: IncomingMessage, response: ServerResponse, serve) => {
    const refusal = judge(message);
    if (refusal === undefined) {
      if (cors !== true) tellOrigin(message, response);
      return serve();
    }
    const { status, ...body } = refusal;
    message.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  replace(server, "upgrade", (message: IncomingMessage, socket: Duplex, serve) => {
    const refusal = judge(message);
    if (refusal === undefined) return serve();
    refuseUpgrade(socket, refusal);
  });
}

/** Names the allowed origin, in place of Hardhat's permission for all. */
function tellOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== "access-control-allow-origin") return setHeader(name, value);
    return origin === undefined ? response : setHeader("Vary", "Origin") && setHeader(name, origin);
  };
}

function replace<Second>(
  server: Server,
  event: "request" | "upgrade",
  listener: (message: IncomingMessage, second: Second, serve: () => void) => void,
): void {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (message: IncomingMessage, second: Second, ...rest: readonly unknown[]) => {
    listener(message, second, () => {
      for (const each of listeners) each.call(server, message, second, ...rest);
    });
  });
}

async function findServer(port: number, host: string): Promise<Server> {
  let found: Server | undefined;
  const look = (message: unknown) => {
    const { server, socket } = message as { server: Server; socket: { localPort?: number } };
    if (socket.localPort === port) found = server;
  };
  subscribe(channel, look);
  try {
    await new Promise<void>((resolve, reject) => {
      const asking = request({ agent: false, host, method: "OPTIONS", port }, (answer) => {
        answer.resume();
        answer.once("end", resolve);
      });
      asking.once("error", reject);
      asking.end();
    });
  } finally {
    unsubscribe(channel, look);
  }
  if (found === undefined) throw new Error(`the server on port ${port} published no request`);
  return found;
}
