import type * as z from "zod/mini";
import { readParameters } from "./readParameters.ts";

/** A parameter before it becomes text: a list is joined with commas. */
export type QueryValue = boolean | number | string | readonly string[] | undefined;

/**
 * Writes parameters as the text of a query, and checks them by the schema that servers read them with.
 *
 * @throws InvalidParameterError that names the parameter.
 *
 * @example
 * toQuery(liquidityQuerySchema, { chainId: 8453 }); // { chainId: "8453" }
 */
export function toQuery(
  schema: z.ZodMiniType,
  values: Readonly<Record<string, QueryValue>>,
): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query[name] = typeof value === "object" ? value.join(",") : String(value);
  }
  readParameters(schema, query);
  return query;
}
