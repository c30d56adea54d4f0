import { statusUpdatedEvent } from "../schema/request/statusUpdate.ts";
import { type WebsocketUpdate, websocketMessageSchema } from "../schema/request/websocketMessage.ts";

/** Longer frames are not looked at: an update of a request is a few hundred characters. */
const longestFrame = 65_536;

/** What a frame of the stream says about a request. */
export type StreamFrame =
  | { readonly kind: "ready" | "refused" | "subscribed" }
  | { readonly kind: "update"; readonly update: WebsocketUpdate };

/**
 * Reads a frame of the stream, whatever it is.
 *
 * @param data What the socket delivered.
 * @param requestId The request that was subscribed to.
 * @returns `undefined` for what is no message of the stream, or one about another request.
 *
 * @example
 * readStreamFrame('{"status":"ready","type":"connection"}', requestId); // { kind: "ready" }
 */
export function readStreamFrame(data: unknown, requestId: string): StreamFrame | undefined {
  if (typeof data !== "string" || data.length > longestFrame) return undefined;
  const message = websocketMessageSchema.safeParse(parse(data)).data;
  if (message === undefined) return undefined;
  const isOurs = (id: string | undefined) => id === undefined || id.toLowerCase() === requestId.toLowerCase();
  if ("type" in message) {
    const { data: about, status, type } = message;
    if (type === "connection") return status === "ready" ? { kind: "ready" } : undefined;
    if (type !== "subscribe" || !isOurs(about?.filters?.id)) return undefined;
    return { kind: status === "success" ? "subscribed" : "refused" };
  }
  const { data: update, event } = "event" in message ? message : message.data;
  return event === statusUpdatedEvent && isOurs(update.requestId) ? { kind: "update", update } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
