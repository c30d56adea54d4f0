import * as z from "zod/mini";

/**
 * A field that must not be there; it keeps the members of a union apart.
 *
 * It is not `z.never()`, which has no counterpart in the JSON Schema of OpenAPI documents.
 *
 * @example
 * wireObject({ to: absentSchema }).safeParse({ to: "0x01" }).success; // false
 */
export const absentSchema = z.optional(
  z
    .unknown()
    .check(
      z.refine((value) => value === undefined, { abort: true, error: "a field that does not belong here" }),
    ),
) as unknown as z.ZodMiniOptional<z.ZodMiniNever>;
