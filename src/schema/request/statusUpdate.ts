import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { failReasonSchema } from "./failReason.ts";
import { refundFailReasonSchema } from "./refundFailReason.ts";
import { requestStatusSchema } from "./requestStatus.ts";
import { depositAddressSchema } from "./status.ts";

/** The one event that the service sends, to webhooks and over the websocket. */
export const statusUpdatedEvent = "request.status.updated";

/** An event's name as a client reads it: undocumented values pass. */
export const eventNameSchema = openEnum([statusUpdatedEvent]);

/** What webhooks and the websocket both say about a request. */
export const statusUpdateFields = {
  status: requestStatusSchema,
  /** Origin transactions. */
  inTxHashes: z.optional(z.array(z.string())),
  /** Destination transactions, or the refund's. */
  txHashes: z.optional(z.array(z.string())),
  /** Unix milliseconds. */
  updatedAt: z.number(),
  originChainId: z.nullish(chainIdSchema),
  destinationChainId: z.nullish(chainIdSchema),
  depositAddress: z.nullish(depositAddressSchema),
  /** Echoes the quote's; null when there was none. */
  referrer: z.nullish(z.string()),
  /** Extra context such as decoded revert data. */
  details: z.nullish(z.unknown()),
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
};

/**
 * Body of a webhook.
 *
 * @example
 * webhookEventSchema.parse({
 *   data: { requestId: `0x${"a8".repeat(32)}`, status: "success", updatedAt: 1_700_000_000_000 },
 *   event: "request.status.updated",
 *   timestamp: 1_700_000_000_000,
 * });
 */
export const webhookEventSchema = wireObject({
  event: eventNameSchema,
  /** Unix milliseconds. */
  timestamp: z.number(),
  data: wireObject({ requestId: z.string().check(z.minLength(1)), ...statusUpdateFields }),
});

/** Body of a webhook, as the wire carries it. */
export type WebhookEvent = z.output<typeof webhookEventSchema>;
