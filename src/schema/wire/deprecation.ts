import * as z from "zod/mini";
import { wireObject } from "./wireObject.ts";

/**
 * What an answer of a deprecated endpoint says about its end. Times are ISO 8601.
 *
 * @example
 * deprecationSchema.parse({ message: "GET /requests/v2 is deprecated.", sunsetAt: "2026-11-24T00:00:00Z" });
 */
export const deprecationSchema = wireObject({
  message: z.string(),
  deprecatedAt: z.nullish(z.string()),
  /** From when the endpoint's rate limit shrinks. */
  throttledFrom: z.nullish(z.string()),
  sunsetAt: z.nullish(z.string()),
  /** Address of the endpoint that replaces it. */
  successor: z.nullish(z.string()),
  /** Address of a page that tells how to move. */
  migrationGuide: z.nullish(z.string()),
});

/** What an answer of a deprecated endpoint says about its end. */
export type Deprecation = z.output<typeof deprecationSchema>;
