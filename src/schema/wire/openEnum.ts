import * as z from "zod/mini";

/** One of the documented values, or another string that a later version of the service may return. */
export type Open<Value extends string> = Value | (string & Record<never, never>);

/**
 * Creates an enum schema that accepts undocumented values.
 *
 * @param values The documented values, for editors, documentation and exhaustive tables.
 */
export function openEnum<const Value extends string>(
  values: readonly [Value, ...Value[]],
): z.ZodMiniType<Open<Value>, Open<Value>> {
  return z.union([z.enum(values), z.string()]) as z.ZodMiniType<Open<Value>, Open<Value>>;
}
