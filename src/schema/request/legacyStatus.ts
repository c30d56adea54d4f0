import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { wireObject } from "../wire/wireObject.ts";
import { statusFields } from "./polledStatus.ts";
import { requestStatusV2Schema } from "./requestStatusV2.ts";

/** Every status of `GET /intents/status`; `fallback` means a refund. */
const legacyStatuses = ["failure", "fallback", "pending", "received", "success"] as const;

/** Response of `GET /intents/status`, the oldest form. */
export const legacyStatusSchema = wireObject({
  ...statusFields,
  status: openEnum(legacyStatuses),
  /** Unix milliseconds. */
  time: z.nullish(z.number()),
});

/** Response of `GET /intents/status`. */
export type LegacyStatus = z.output<typeof legacyStatusSchema>;

/** Response of `GET /intents/status/v2`. */
export const statusV2Schema = wireObject({
  ...statusFields,
  status: requestStatusV2Schema,
  /** Unix milliseconds. */
  time: z.nullish(z.number()),
  /** Unix milliseconds. */
  quoteCreatedAt: z.nullish(z.number()),
});

/** Response of `GET /intents/status/v2`. */
export type StatusV2 = z.output<typeof statusV2Schema>;
