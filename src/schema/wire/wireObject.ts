import * as z from "zod/mini";

/**
 * An object on the wire. Keeps unknown fields, because the service adds fields without notice. They are not in the
 * TypeScript type, so that a misspelt name is an error.
 */
export function wireObject<const Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>;
}

/**
 * A map on the wire, whose keys are data: names of types, headers or parameters. An object schema without fields, so
 * that bundles contain no further kind of schema.
 */
export function wireMap<Value extends z.core.$ZodType>(value: Value) {
  return z.catchall(z.object({}), value);
}
