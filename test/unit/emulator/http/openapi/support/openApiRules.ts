import * as z from "zod";

const text = z.string().min(1);
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/schemas\/[\w.-]+$/) });
const schema = z.union([reference, z.looseObject({ $ref: z.undefined().optional() })]);
const content = z.record(z.string().regex(/^\w+\/[\w.+-]+$/), z.strictObject({ schema }));

const parameter = z
  .strictObject({
    name: text,
    in: z.enum(["path", "query", "header", "cookie"]),
    required: z.boolean().optional(),
    description: text.optional(),
    style: z.enum(["form", "simple"]).optional(),
    explode: z.boolean().optional(),
    schema: schema.optional(),
    content: content.optional(),
  })
  .refine(({ in: place, required }) => place !== "path" || required === true, "a path without its parameter")
  .refine((one) => (one.schema === undefined) !== (one.content === undefined), "either schema or content")
  .refine((one) => Object.keys(one.content ?? { one }).length === 1, "content has one media type");

const response = z.strictObject({
  description: text,
  headers: z.record(z.string(), z.strictObject({ description: text, schema })).optional(),
  content: content.optional(),
});

const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]\w*$/i),
  tags: z.array(text).min(1),
  summary: text,
  description: text.optional(),
  deprecated: z.boolean().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ content, required: z.boolean().optional() }).optional(),
  responses: z
    .record(z.string().regex(/^(?:[1-5]\d\d|[1-5]XX|default)$/), response)
    .refine((responses) => Object.keys(responses).length > 0, "no answer"),
});

const pathItem = z.partialRecord(z.enum(["get", "put", "post", "delete", "patch"]), operation);

/**
 * The structure that OpenAPI 3.1 prescribes, for the parts that a document may have here. Nothing else may be in it: a field
 * with a misspelt name is an error.
 */
export const openApiRules = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: text, version: text, description: text.optional() }),
  servers: z.array(z.strictObject({ url: text, description: text.optional() })),
  tags: z.array(z.strictObject({ name: text, description: text.optional() })),
  paths: z.record(z.string().regex(/^\/[^?#]*$/), pathItem),
  webhooks: z.record(z.string(), pathItem),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
    securitySchemes: z.record(
      z.string().regex(/^[\w.-]+$/),
      z.strictObject({
        type: z.literal("apiKey"),
        in: z.enum(["query", "header", "cookie"]),
        name: text,
        description: text.optional(),
      }),
    ),
  }),
});

/** Every value of a key in a document, wherever it is. */
export function everyValue(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.hasOwn(value, key) ? [(value as Record<string, unknown>)[key]] : [];
  return [...own, ...Object.values(value).flatMap((inner) => everyValue(inner, key))];
}
