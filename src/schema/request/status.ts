import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { wireObject } from "../wire/wireObject.ts";
import { failReasonSchema, refundFailReasonSchema } from "./failReason.ts";
import { polledStatusSchema, statusFields } from "./polledStatus.ts";

/** Response of `GET /intents/status/v3`, in wire format. */
export type Status = z.output<typeof statusSchema>;
export const statusSchema = wireObject({
  ...polledStatusSchema.shape,
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
});

/** Every status of `GET /intents/status`; `fallback` means a refund. */
const legacyStatuses = ["failure", "fallback", "pending", "received", "success"] as const;

/** Response of `GET /intents/status`, the oldest form. */
export type LegacyStatus = z.output<typeof legacyStatusSchema>;
export const legacyStatusSchema = wireObject({
  ...statusFields,
  status: openEnum(legacyStatuses),
  /** Unix milliseconds. */
  time: z.nullish(z.number()),
});

/** Every status of `GET /intents/status/v2` and of request records of version 2, which have no `submitted`. */
const statusesV2 = ["refund", "waiting", "depositing", "failure", "pending", "success"] as const;

/** One of {@link statusesV2}. */
export type RequestStatusV2 = (typeof statusesV2)[number];

/**
 * A status of version 2 in a response; accepts undocumented values, such as `fallback` and `delayed` of older records.
 */
export const requestStatusV2Schema = openEnum(statusesV2);

/** Response of `GET /intents/status/v2`. */
export type StatusV2 = z.output<typeof statusV2Schema>;
export const statusV2Schema = wireObject({
  ...statusFields,
  status: requestStatusV2Schema,
  /** Unix milliseconds. */
  time: z.nullish(z.number()),
  /** Unix milliseconds. */
  quoteCreatedAt: z.nullish(z.number()),
});
