import * as z from "zod/mini";

/**
 * An object of the wire whose field names are not documented, because they are data themselves: names of types, of
 * headers, of parameters. Made as an object without fields, so that bundles do not carry another kind of schema for it.
 *
 * @param value What every field holds.
 *
 * @example
 * wireMap(z.string()).parse({ any: "text" }); // { any: "text" }
 */
export function wireMap<Value extends z.core.$ZodType>(value: Value) {
  return z.catchall(z.object({}), value);
}
