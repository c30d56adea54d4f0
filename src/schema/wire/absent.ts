import * as z from "zod/mini";

/**
 * A field that must be absent; distinguishes the members of a union.
 *
 * Not `z.never()`, which JSON Schema cannot express.
 */
export const absentSchema = z.optional(
  z
    .unknown()
    .check(
      z.refine((value) => value === undefined, { abort: true, error: "a field that does not belong here" }),
    ),
) as unknown as z.ZodMiniOptional<z.ZodMiniNever>;
