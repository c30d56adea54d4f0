import * as z from "zod/mini";

/**
 * An object of the wire: unknown fields are kept, because the service adds fields without notice, but they
 * are not part of the TypeScript type, so that a misspelt name is still an error.
 *
 * @param shape The fields that the interface documents.
 *
 * @example
 * const point = wireObject({ x: z.number() });
 * point.parse({ x: 1, y: 2 }); // { x: 1, y: 2 }, typed { x: number }
 */
export function wireObject<const Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>;
}
