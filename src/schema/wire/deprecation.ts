import * as z from "zod/mini";
import { wireObject } from "./wireObject.ts";

/** Deprecation notice in a response. Times are ISO 8601. */
export const deprecationSchema = wireObject({
  message: z.string(),
  deprecatedAt: z.nullish(z.string()),
  /** Start of the reduced rate limit. */
  throttledFrom: z.nullish(z.string()),
  sunsetAt: z.nullish(z.string()),
  /** Address of the endpoint that replaces it. */
  successor: z.nullish(z.string()),
  /** URL of the migration guide. */
  migrationGuide: z.nullish(z.string()),
});

/** Deprecation notice in a response. */
export type Deprecation = z.output<typeof deprecationSchema>;
