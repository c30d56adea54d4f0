import * as z from "zod";

/** As much of an OpenAPI document as a reader must be able to rely on. */
export const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
