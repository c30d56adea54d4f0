import * as z from "zod";
import { absentSchema } from "../../../src/schema/wire/absent.ts";
import { isWhole } from "../../../src/schema/wire/wholeNumber.ts";
import type { JsonSchema } from "./OpenApiDocument.ts";

/** Named schemas of a document. */
export type NamedSchemas = {
  /** Names a schema that has no name yet. */
  add(name: string, schema: z.core.$ZodType): void;
  /** Returns the `$ref` of a named schema. */
  ref(schema: z.core.$ZodType): JsonSchema;
  /** Returns all schemas, with references between them. */
  toComponents(): Readonly<Record<string, JsonSchema>>;
};

const refTo = (name: string) => `#/components/schemas/${name}`;

/** Collects schemas for a document. They describe the input side: the wire format, before defaults are applied. */
export function nameSchemas(): NamedSchemas {
  const registry = z.registry<{ id: string }>();
  return {
    add: (name, schema) => {
      if (!registry.has(schema)) registry.add(schema, { id: name });
    },
    ref: (schema) => {
      const named = registry.get(schema);
      if (named === undefined) throw new Error("a schema without a name");
      return { $ref: refTo(named.id) };
    },
    toComponents: () => {
      const { schemas } = z.toJSONSchema(registry, { ...conversion("input"), uri: refTo });
      return Object.fromEntries(
        Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema as JsonSchema]),
      );
    },
  };
}

/** Converts one schema, in its input or output form. */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, conversion(io));
  return json as JsonSchema;
}

/** Omits checks that JSON Schema cannot express, such as the range of a `uint256`. */
function conversion(io: "input" | "output"): z.core.ToJSONSchemaParams {
  return {
    io,
    override: ({ jsonSchema, zodSchema }) => {
      if (zodSchema === absentSchema) Object.assign(jsonSchema, { not: {} });
      if (zodSchema._zod.def.checks?.includes(isWhole as never)) jsonSchema.type = "integer";
    },
    unrepresentable: "any",
  };
}
