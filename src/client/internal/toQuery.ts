import type * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readParameters } from "./readParameters.ts";

/** A query parameter; a list is joined with commas. */
export type QueryValue = boolean | number | string | readonly string[] | undefined;

/**
 * Serialises parameters as a query, validated by the schema that servers parse it with.
 *
 * @throws InvalidParameterError for an invalid parameter, by name.
 */
export function toQuery(
  schema: z.ZodMiniType,
  values: Readonly<Record<string, QueryValue>>,
): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query[name] = toText(value, name);
  }
  readParameters(schema, query);
  return query;
}

function toText(value: QueryValue, name: string): string {
  if (!Array.isArray(value)) return toField(value, name);
  return Array.from<unknown, string>(value, (entry) => toField(entry, name)).join(",");
}

function toField(value: unknown, parameter: string): string {
  if (["boolean", "number", "string"].includes(typeof value)) return String(value);
  throw new InvalidParameterError({ parameter, reason: "neither a text, a number nor a flag" });
}
