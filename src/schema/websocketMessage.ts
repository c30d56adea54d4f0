import * as z from "zod/mini";
import { bytes32Schema } from "./hex.ts";
import { eventNameSchema, statusUpdatedEvent, statusUpdateFields } from "./statusUpdate.ts";
import { wireObject } from "./wireObject.ts";

/**
 * What a client may send over the websocket. Without `filters`, an `unsubscribe` ends every subscription.
 *
 * @example
 * websocketRequestSchema.parse({
 *   event: "request.status.updated",
 *   filters: { id: `0x${"a8".repeat(32)}` },
 *   type: "subscribe",
 * });
 */
export const websocketRequestSchema = z.union([
  wireObject({
    type: z.literal("subscribe"),
    event: z.literal(statusUpdatedEvent),
    filters: wireObject({
      /** The request id. */
      id: bytes32Schema,
    }),
  }),
  wireObject({
    type: z.literal("unsubscribe"),
    event: z.literal(statusUpdatedEvent),
    filters: z.optional(wireObject({ id: z.optional(bytes32Schema) })),
  }),
]);

/**
 * The first message of a server: from now on it takes subscriptions.
 *
 * @example
 * websocketReadySchema.parse({ data: { id: "9nqpzwmwh86" }, status: "ready", type: "connection" });
 */
export const websocketReadySchema = wireObject({
  type: z.literal("connection"),
  status: z.string(),
  /** The socket's id, for support. */
  data: z.optional(wireObject({ id: z.optional(z.string()) })),
});

/**
 * A server's answer to `subscribe` or `unsubscribe`.
 *
 * @example
 * websocketAcknowledgementSchema.parse({
 *   data: { event: "request.status.updated", filters: { id: `0x${"a8".repeat(32)}` } },
 *   status: "success",
 *   type: "subscribe",
 * });
 */
export const websocketAcknowledgementSchema = wireObject({
  type: z.enum(["subscribe", "unsubscribe"]),
  /** `success`, or what went wrong. */
  status: z.string(),
  data: z.optional(
    wireObject({
      event: z.optional(z.string()),
      filters: z.optional(wireObject({ id: z.optional(z.string()) })),
      message: z.optional(z.string()),
    }),
  ),
});

/**
 * What an event of the websocket tells about a request.
 *
 * @example
 * websocketUpdateSchema.parse({ status: "pending", updatedAt: 1_700_000_000_000 });
 */
export const websocketUpdateSchema = wireObject({ requestId: z.optional(z.string()), ...statusUpdateFields });

/** What an event of the websocket tells about a request. */
export type WebsocketUpdate = z.output<typeof websocketUpdateSchema>;

/**
 * An event of the websocket. Servers send it bare or inside of `data`; {@link websocketMessageSchema} takes both.
 *
 * @example
 * websocketEventSchema.parse({
 *   data: { status: "pending", updatedAt: 1_700_000_000_000 },
 *   event: "request.status.updated",
 * });
 */
export const websocketEventSchema = wireObject({ event: eventNameSchema, data: websocketUpdateSchema });

/**
 * Whatever a server sends over the websocket.
 *
 * @example
 * websocketMessageSchema.parse({ status: "ready", type: "connection" });
 */
export const websocketMessageSchema = z.union([
  websocketReadySchema,
  websocketAcknowledgementSchema,
  websocketEventSchema,
  wireObject({ data: websocketEventSchema }),
]);
