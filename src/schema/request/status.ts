import * as z from "zod/mini";
import { wireObject } from "../wire/wireObject.ts";
import { failReasonSchema } from "./failReason.ts";
import { polledStatusSchema } from "./polledStatus.ts";
import { refundFailReasonSchema } from "./refundFailReason.ts";

/** Response of `GET /intents/status/v3`. */
export const statusSchema = wireObject({
  ...polledStatusSchema.shape,
  /** `N/A` while there is none. */
  failReason: z.nullish(failReasonSchema),
  /** `N/A` while there is none. */
  refundFailReason: z.nullish(refundFailReasonSchema),
});

/** Response of `GET /intents/status/v3`, in wire format. */
export type Status = z.output<typeof statusSchema>;
