import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { failReasonSchema, refundFailReasonSchema } from "./failReason.ts";
import { depositAddressSchema } from "./polledStatus.ts";
import { requestStatusSchema } from "./requestStatus.ts";

/** The only event that the service sends, by webhook and websocket. */
export const statusUpdatedEvent = "request.status.updated";

/** An event name; accepts undocumented values. */
export const eventNameSchema = openEnum([statusUpdatedEvent]);

/** Request data common to webhooks and the websocket. */
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
  /** Referrer of the quote; null without one. */
  referrer: z.nullish(z.string()),
  /** Extra context such as decoded revert data. */
  details: z.nullish(z.unknown()),
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
};

/** Body of a webhook, in wire format. */
export type WebhookEvent = z.output<typeof webhookEventSchema>;
export const webhookEventSchema = wireObject({
  event: eventNameSchema,
  /** Unix milliseconds. */
  timestamp: z.number(),
  data: wireObject({ requestId: z.string().check(z.minLength(1)), ...statusUpdateFields }),
});
