import * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { firstIssue } from "./firstIssue.ts";

/**
 * Reads a part of something by a schema of the wire.
 *
 * @param parameter The part's name for errors.
 * @throws InvalidParameterError that names the field.
 *
 * @example
 * readBy(nonceMappingSchema, value, "quote.steps[0].items[0].data.sign.value").nonce;
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
