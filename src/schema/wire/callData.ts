import * as z from "zod/mini";
import { wireObject } from "./wireObject.ts";

/**
 * A failed call. All fields are optional.
 *
 * @example
 * callDataSchema.parse({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: "0" });
 */
export const callDataSchema = wireObject({
  from: z.nullish(z.string()),
  to: z.nullish(z.string()),
  data: z.nullish(z.string()),
  /** Wei. */
  value: z.nullish(z.string()),
});

/** A call that failed. */
export type CallData = z.output<typeof callDataSchema>;
