import * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { firstIssue } from "../../schema/wire/firstIssue.ts";

/**
 * Parses a caller's parameters by a wire schema.
 *
 * @param fallback Name for an error about the value as a whole.
 * @throws InvalidParameterError for an invalid field, by name.
 */
export function readParameters<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  fallback = "parameters",
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new InvalidParameterError({ parameter: path === "" ? fallback : path, reason });
}
