import * as z from "zod/mini";

/**
 * A map on the wire, whose keys are data: names of types, headers or parameters. An object schema without fields, so
 * that bundles contain no further kind of schema.
 */
export function wireMap<Value extends z.core.$ZodType>(value: Value) {
  return z.catchall(z.object({}), value);
}
