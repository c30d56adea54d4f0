import { type RawData, WebSocket } from "ws";
import * as z from "zod";
import { firstIssue } from "../../src/schema/firstIssue.ts";
import { bytes32Schema } from "../../src/schema/hex.ts";
import type { Context } from "../context/Context.ts";
import type { StatusSubscription, StatusSubscriptions } from "./statusSubscriptions.ts";
import type { Turns } from "./takeTurns.ts";

const event = "request.status.updated";

/** Filters are strict: one that is not understood must not be taken for one that lets everything pass. */
const messageSchema = z.looseObject({
  event: z.literal(event),
  filters: z.strictObject({ id: bytes32Schema }),
  type: z.enum(["subscribe", "unsubscribe"]),
});

type Message = z.output<typeof messageSchema>;

/** How much one client may ask of this process. */
export type SocketLimits = {
  readonly subscriptionsPerSocket: number;
  /** Bytes that wait for a client that does not read them. */
  readonly bufferedBytes: number;
  /** So many refused messages, one after the other, end a connection. */
  readonly refusals: number;
  /** Messages that wait for their turn; one more ends the connection. */
  readonly waitingMessages: number;
  /** How long a client may take to say goodbye, in milliseconds. */
  readonly closeGraceMs: number;
};

/** See RFC 6455, section 7.4.1: a message that goes against the rules of the endpoint. */
const policyViolation = 1008;

/** Message that cannot be acted upon; what it says is for the client. */
class MessageRefusedError extends Error {
  override readonly name = "MessageRefusedError";
}

/**
 * Speaks the service's stream protocol with one client: ready, then an answer to each message, and the statuses of the
 * requests that it subscribed to.
 */
export function serveStatusSocket(
  socket: WebSocket,
  {
    id,
    limits,
    log,
    subscriptions,
    turns,
  }: Pick<Context, "log"> & {
    readonly id: string;
    readonly limits: SocketLimits;
    readonly subscriptions: Pick<StatusSubscriptions, "open">;
    /** Of all sockets together. */
    readonly turns: Turns;
  },
): void {
  const open = new Map<string, StatusSubscription>();
  let refused = 0;
  let waiting = 0;
  const send = (message: object) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > limits.bufferedBytes) socket.terminate();
    // An error of the connection is followed by its end, which is dealt with below.
    else socket.send(JSON.stringify(message), () => {});
  };
  const close = (requestId: string) => {
    open.get(requestId)?.close();
    open.delete(requestId);
  };
  const subscribe = async ({ filters }: Message) => {
    const requestId = filters.id.toLowerCase();
    close(requestId);
    if (open.size >= limits.subscriptionsPerSocket) {
      throw new MessageRefusedError(`A socket has at most ${limits.subscriptionsPerSocket} subscriptions`);
    }
    // The answer goes out first: the status that follows it belongs to the subscription.
    acknowledge("subscribe", filters);
    const subscription = subscriptions.open(requestId, (data) => send({ data, event }));
    open.set(requestId, subscription);
    await subscription.ready.catch((error: unknown) => {
      close(requestId);
      throw error;
    });
  };
  const acknowledge = (type: Message["type"], filters: Message["filters"]) =>
    send({ data: { event, filters }, status: "success", type });
  const act = async (data: RawData, isBinary: boolean) => {
    // What still waited when the client left would open subscriptions that nobody closes.
    if (socket.readyState !== WebSocket.OPEN) return;
    const message = readMessage(data, isBinary);
    if (message.type === "subscribe") return subscribe(message);
    close(message.filters.id.toLowerCase());
    acknowledge("unsubscribe", message.filters);
  };

  const hangUp = (reason: string) => {
    socket.close(policyViolation, reason);
    const grace = setTimeout(() => socket.terminate(), limits.closeGraceMs);
    socket.once("close", () => clearTimeout(grace));
  };
  const refuse = (error: unknown) => {
    if (error instanceof MessageRefusedError) {
      refused++;
      send({ errorCode: "INVALID_REQUEST", message: error.message, type: "error" });
      if (refused >= limits.refusals) hangUp("Too many invalid messages");
      return;
    }
    log({ cause: error, level: "error", message: "a message on a websocket could not be dealt with" });
    send({ errorCode: "UNKNOWN_ERROR", message: "Something went wrong", type: "error" });
  };

  let lastMessage = Promise.resolve();
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A packet holds many messages, and those that it holds are not held up by the pause.
    if (waiting >= limits.waitingMessages) return hangUp("Too many messages at once");
    // One after the other, and no more is read from the client until all have been dealt with.
    socket.pause();
    waiting++;
    lastMessage = lastMessage
      .then(() => turns.take(() => act(data, isBinary)))
      .then(() => {
        refused = 0;
      }, refuse)
      .then(() => {
        if (--waiting === 0) socket.resume();
      });
  });
  socket.on("ping", () => {
    // Each is answered by itself; the answers wait, too, for a client that does not read.
    if (socket.bufferedAmount > limits.bufferedBytes) socket.terminate();
  });
  // Broken frames and lost connections; the socket closes by itself.
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const requestId of [...open.keys()]) close(requestId);
  });
  send({ data: { id }, status: "ready", type: "connection" });
}

function readMessage(data: RawData, isBinary: boolean): Message {
  let message: unknown;
  try {
    if (isBinary) throw new TypeError("binary");
    message = JSON.parse(data.toString());
  } catch (cause) {
    throw new MessageRefusedError("The message is not JSON", { cause });
  }
  const result = messageSchema.safeParse(message);
  if (result.success) return result.data;
  const { path, reason } = firstIssue(result.error);
  throw new MessageRefusedError(`Invalid message: \`${path || "message"}\`: ${reason}`);
}
