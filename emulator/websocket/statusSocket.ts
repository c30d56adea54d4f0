import { setImmediate } from "node:timers/promises";
import { type RawData, WebSocket } from "ws";
import * as z from "zod";
import { firstIssue } from "../../src/schema/wire/firstIssue.ts";
import { bytes32Schema } from "../../src/schema/wire/hex.ts";
import type { Context } from "../context/Context.ts";
import type { StatusSubscription, StatusSubscriptions } from "./statusSubscriptions.ts";

const event = "request.status.updated";

/** Filters are strict: an unknown filter is an error, because ignoring it would widen the subscription. */
const messageSchema = z.looseObject({
  event: z.literal(event),
  filters: z.strictObject({ id: bytes32Schema }),
  type: z.enum(["subscribe", "unsubscribe"]),
});

type Message = z.output<typeof messageSchema>;

/** Limits for one client. */
export type SocketLimits = {
  /** Number of consecutive refused messages that closes a connection. */
  readonly refusals: number;
  /** Maximum queued messages; one more closes the connection. */
  readonly waitingMessages: number;
  /** Time for the client's part of the closing handshake, in milliseconds. */
  readonly closeGraceMs: number;
};

/** Close code of RFC 6455, section 7.4.1: the client violates the endpoint's policy. */
const policyViolation = 1008;
/** Close code of RFC 6455, section 7.4.1: an unexpected condition prevented the endpoint from serving the request. */
const internalError = 1011;

/** An invalid client message. The error message is sent to the client. */
class MessageRefusedError extends Error {
  override readonly name = "MessageRefusedError";
}

/**
 * Serves the service's stream protocol to one client: `ready`, an acknowledgement of each message, and status updates of
 * subscribed requests.
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
    /** Shared by all sockets. */
    readonly turns: Turns;
  },
): void {
  const open = new Map<string, StatusSubscription>();
  let refused = 0;
  let waiting = 0;
  const send = (message: object) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A connection error is followed by `close`, handled below.
    socket.send(JSON.stringify(message), () => {});
  };
  const close = (requestId: string) => {
    open.get(requestId)?.close();
    open.delete(requestId);
  };
  const subscribe = async ({ filters }: Message) => {
    const requestId = filters.id.toLowerCase();
    close(requestId);
    // The acknowledgement goes out first: statuses follow it.
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
    // A message queued before the client left would open a subscription that is never closed.
    if (socket.readyState !== WebSocket.OPEN) return;
    const message = readMessage(data, isBinary);
    if (message.type === "subscribe") return subscribe(message);
    close(message.filters.id.toLowerCase());
    acknowledge("unsubscribe", message.filters);
  };

  const hangUp = (reason: string, code = policyViolation) => {
    socket.close(code, reason);
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
    log({ cause: error, level: "error", message: "a websocket message could not be processed" });
    // The subscription was acknowledged: a client on an open socket would wait for its status without end.
    hangUp("Something went wrong", internalError);
  };

  let lastMessage = Promise.resolve();
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    // Messages of a packet already received arrive despite the pause.
    if (waiting >= limits.waitingMessages) return hangUp("Too many messages at once");
    // Messages are processed one at a time. The socket is paused until the queue is empty.
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
  // Broken frames and lost connections: the socket closes itself.
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

type Turns = {
  /** Queues `work`; settles as `work` does. */
  take(work: () => Promise<void>): Promise<void>;
};

/** A lane yields to the event loop after so many milliseconds. */
const sliceMs = 1;

/**
 * Shares the event loop between socket messages and HTTP. One packet may hold thousands of messages; processed at once, they
 * would block HTTP until the last one.
 */
export function takeTurns(): Turns {
  // Two messages at once: the API needs connections of the same pool.
  let [lane, other] = [createLane(), createLane()];
  return {
    take: (work) => {
      [lane, other] = [other, lane];
      return lane(work);
    },
  };
}

/** A chain of promises: an array of 100,000 messages would move all of them for each one that leaves it. */
function createLane(): Turns["take"] {
  let begin = 0;
  let last = Promise.resolve();
  const rest = async () => {
    if (performance.now() - begin < sliceMs) return;
    await setImmediate();
    begin = performance.now();
  };
  return (work) => {
    const done = last.then(work);
    last = done.then(rest, rest);
    return done;
  };
}
