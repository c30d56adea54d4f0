import * as z from "zod/mini";
import { type RequestType, requestTypes } from "../requestType.ts";

/**
 * A kind of request as a filter takes it: in any letter case, and one that exists.
 *
 * @example
 * caseInsensitiveRequestType.parse("crosschain swap"); // "Crosschain Swap"
 */
export const caseInsensitiveRequestType: z.ZodMiniType<RequestType, string> = z.pipe(
  z.pipe(
    z.string(),
    z.transform(
      (value) => requestTypes.find((type) => type.toLowerCase() === value.trim().toLowerCase()) ?? value,
    ),
  ),
  z.enum(requestTypes),
);
