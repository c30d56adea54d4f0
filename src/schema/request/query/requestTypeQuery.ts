import * as z from "zod/mini";
import { type RequestType, requestTypes } from "../requestType.ts";

/** A documented request type in a filter, in any letter case. */
export const caseInsensitiveRequestType: z.ZodMiniType<RequestType, string> = z.pipe(
  z.pipe(
    z.string(),
    z.transform(
      (value) => requestTypes.find((type) => type.toLowerCase() === value.trim().toLowerCase()) ?? value,
    ),
  ),
  z.enum(requestTypes),
);
