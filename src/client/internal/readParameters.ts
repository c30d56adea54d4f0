import * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { firstIssue } from "../../schema/wire/firstIssue.ts";

/**
 * Reads what a caller gave by a schema of the wire.
 *
 * @param fallback Name to blame when the value as a whole is wrong.
 * @throws InvalidParameterError that names the field.
 *
 * @example
 * readParameters(fastFillRequestSchema, { requestId: `0x${"a8".repeat(32)}` });
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
