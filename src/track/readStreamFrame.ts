import { statusUpdatedEvent } from "../schema/request/statusUpdate.ts";
import { type WebsocketUpdate, websocketMessageSchema } from "../schema/request/websocketMessage.ts";

/** Maximum length of a frame; an update has a few hundred characters. */
const longestFrame = 65_536;

/** A parsed frame of the stream. */
export type StreamFrame =
  | { readonly kind: "ready" | "refused" | "subscribed" }
  | { readonly kind: "update"; readonly update: WebsocketUpdate };

/**
 * Parses an untrusted frame of the stream.
 *
 * @returns `undefined` for another message, or another request.
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
