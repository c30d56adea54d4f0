import * as z from "zod";

/**
 * The same schema, compiled: it reads objects by code made for their fields, which takes half as long where there are many.
 * The schemas of the library are not compiled, because pages in a browser may forbid to make code.
 */
export function compileSchema<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const isCompiled = schema instanceof z.core.$ZodObjectJIT;
  if (isCompiled || !(schema instanceof z.core.$ZodObject)) return schema;
  return new z.core.$ZodObjectJIT(schema._zod.def) as unknown as Schema;
}
