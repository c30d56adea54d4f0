import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";

/** Every documented request type. */
export const requestTypes = [
  "Bridge",
  "Crosschain Swap",
  "Same-chain Swap",
  "Send",
  "Wrap",
  "Unwrap",
  "Call",
] as const;

/** One of {@link requestTypes}. */
export type RequestType = (typeof requestTypes)[number];

/** A request type in a response; accepts undocumented values. */
export const requestTypeSchema = openEnum(requestTypes);

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
