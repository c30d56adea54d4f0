import type { IncomingMessage } from "node:http";
import { WebSocket, WebSocketServer } from "ws";
import { type CorsOrigins, isOriginAllowed, type Refusal, type Upgrades } from "../access/hostRule.ts";
import type { Context } from "../context/Context.ts";
import type { ApiKeys } from "../keys/openApiKeys.ts";
import type { StreamControl } from "./StreamControl.ts";
import { type SocketLimits, serveStatusSocket, takeTurns } from "./statusSocket.ts";
import type { StatusSubscriptions } from "./statusSubscriptions.ts";

/** Path of the stream. */
export const statusSocketPath = "/ws";

/** Limits for all sockets together and for each one. */
type ServerLimits = SocketLimits & {
  /** Maximum message length; a longer one closes the connection. */
  readonly messageBytes: number;
  /** A restart closes `restartWave` sockets at a time and pauses `restartPauseMs` milliseconds between waves. */
  readonly restartWave: number;
  readonly restartPauseMs: number;
};

type StatusSocketServer = StreamControl & Upgrades;

/** Close code of the RFC 6455 registry: service restart; the client should reconnect. */
const serviceRestart = 1012;
/** Close code of RFC 6455, section 7.4.1: the endpoint is going away. */
const goingAway = 1001;

const defaultLimits: ServerLimits = {
  closeGraceMs: 500,
  messageBytes: 64 * 1024,
  refusals: 20,
  restartPauseMs: 100,
  restartWave: 25,
  // A client may open a thousand subscriptions in one burst.
  waitingMessages: 1_200,
};
/** Maximum number of fragments of one message. */
const maxFragments = 64;

const refusals = {
  closing: { errorCode: "SERVICE_UNAVAILABLE", message: "No more connections are taken", status: 503 },
  key: { errorCode: "UNAUTHORIZED", message: "Unknown API key", status: 401 },
  origin: { errorCode: "ORIGIN_NOT_ALLOWED", message: "Pages of this origin may not connect", status: 403 },
  path: { errorCode: "NOT_FOUND", message: "There is nothing here", status: 404 },
} as const satisfies Record<string, Refusal>;

type StatusSocketOptions = {
  readonly limits?: Partial<ServerLimits>;
  /** Browser origins that may connect. Clients without an `Origin` header always may. @default true */
  readonly cors?: CorsOrigins | undefined;
};

/** Serves the websocket stream on the API's port (specification, "Websocket stream"). */
export function createStatusSocketServer(
  context: Pick<Context, "log" | "random32"> & { readonly apiKeys: Pick<ApiKeys, "find"> },
  subscriptions: Pick<StatusSubscriptions, "open">,
  { cors = true, limits = {} }: StatusSocketOptions = {},
): StatusSocketServer {
  const bounds = { ...defaultLimits, ...limits };
  const server = new WebSocketServer({
    // One message, ping or pong for each socket and turn of the event loop, however many a packet holds.
    allowSynchronousEvents: false,
    maxFragments,
    maxPayload: bounds.messageBytes,
    noServer: true,
  });
  const turns = takeTurns();
  let isClosing = false;
  return {
    close: async () => {
      isClosing = true;
      await Promise.all(
        [...server.clients].map((socket) => sayGoodbye(socket, goingAway, bounds.closeGraceMs)),
      );
    },
    restart: async () => {
      // Sockets opened during the restart stay open.
      const open = [...server.clients];
      for (let begin = 0; begin < open.length && !isClosing; begin += bounds.restartWave) {
        if (begin > 0) await new Promise((resolve) => setTimeout(resolve, bounds.restartPauseMs));
        const wave = open.slice(begin, begin + bounds.restartWave);
        await Promise.all(wave.map((socket) => sayGoodbye(socket, serviceRestart, bounds.closeGraceMs)));
      }
      return { closed: open.length };
    },
    upgrade: (request, socket, head) => {
      const [path, query] = (request.url ?? "").split("?", 2);
      if (path !== statusSocketPath) return refusals.path;
      if (!isOriginAllowed(request.headers, cors)) return refusals.origin;
      const keys = presentedKeys(request, query);
      if (!keys.every((key) => context.apiKeys.find(key) !== undefined)) return refusals.key;
      if (isClosing) return refusals.closing;
      server.handleUpgrade(request, socket, head, (client) =>
        serveStatusSocket(client, {
          id: context.random32(),
          limits: bounds,
          log: context.log,
          subscriptions,
          turns,
        }),
      );
      return undefined;
    },
  };
}

/** API keys of the header and of the query: browsers cannot set websocket headers. */
function presentedKeys(request: IncomingMessage, query: string | undefined): readonly string[] {
  const keys = [request.headers["x-api-key"], new URLSearchParams(query).get("apiKey") ?? undefined];
  return keys.filter((key) => key !== undefined).map(String);
}

async function sayGoodbye(socket: WebSocket, code: number, graceMs: number): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  await new Promise<void>((resolve) => {
    const grace = setTimeout(() => socket.terminate(), graceMs);
    socket.once("close", () => {
      clearTimeout(grace);
      resolve();
    });
    socket.close(code, code === goingAway ? "The service stops" : "The service restarts");
  });
}
