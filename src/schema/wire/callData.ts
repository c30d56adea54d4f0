import * as z from "zod/mini";
import { wireObject } from "./wireObject.ts";

/** A failed call. All fields are optional. */
export type CallData = z.output<typeof callDataSchema>;
export const callDataSchema = wireObject({
  from: z.nullish(z.string()),
  to: z.nullish(z.string()),
  data: z.nullish(z.string()),
  /** Wei. */
  value: z.nullish(z.string()),
});
