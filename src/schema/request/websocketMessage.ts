import * as z from "zod/mini";
import { wireObject } from "../wire/wireObject.ts";
import { eventNameSchema, statusUpdateFields } from "./statusUpdate.ts";

/** The first message of a server, which then accepts subscriptions. */
const websocketReadySchema = wireObject({
  type: z.literal("connection"),
  status: z.string(),
  /** The socket's id, for support. */
  data: z.optional(wireObject({ id: z.optional(z.string()) })),
});

/** A server's answer to `subscribe` or `unsubscribe`. */
const websocketAcknowledgementSchema = wireObject({
  type: z.enum(["subscribe", "unsubscribe"]),
  /** `success`, or the error. */
  status: z.string(),
  data: z.optional(
    wireObject({
      event: z.optional(z.string()),
      filters: z.optional(wireObject({ id: z.optional(z.string()) })),
      message: z.optional(z.string()),
    }),
  ),
});

/** Request data of a websocket event. */
export type WebsocketUpdate = z.output<typeof websocketUpdateSchema>;
const websocketUpdateSchema = wireObject({ requestId: z.optional(z.string()), ...statusUpdateFields });

/** A websocket event. Servers send it bare or inside `data`; {@link websocketMessageSchema} accepts both. */
const websocketEventSchema = wireObject({ event: eventNameSchema, data: websocketUpdateSchema });

/** Any message of a server over the websocket. */
export const websocketMessageSchema = z.union([
  websocketReadySchema,
  websocketAcknowledgementSchema,
  websocketEventSchema,
  wireObject({ data: websocketEventSchema }),
]);
