import * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { firstIssue } from "./firstIssue.ts";

/**
 * Parses a part of a value by a wire schema.
 *
 * @throws InvalidParameterError for an invalid field, by name.
 */
export function readBy<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  parameter: string,
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new InvalidParameterError({ parameter: path === "" ? parameter : `${parameter}.${path}`, reason });
}
