import * as z from "zod";
import { absentSchema } from "../../../src/schema/absent.ts";
import type { JsonSchema } from "./OpenApiDocument.ts";

/** Schemas under the names that the document has for them. */
export type NamedSchemas = {
  /** Names a schema, unless it has a name already. */
  add(name: string, schema: z.core.$ZodType): void;
  /** Where the document has a schema that was named. */
  ref(schema: z.core.$ZodType): JsonSchema;
  /** All of them, each in terms of the others. */
  toComponents(): Readonly<Record<string, JsonSchema>>;
};

const refTo = (name: string) => `#/components/schemas/${name}`;

/** Collects schemas for a document. What is shown of them is what they accept: the wire, before defaults are filled in. */
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

/** One schema by itself, as what it accepts or as what it makes of that. */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, conversion(io));
  return json as JsonSchema;
}

/** Checks that JSON Schema has no words for, such as what fits a `uint256`, are left to the reader. */
function conversion(io: "input" | "output"): z.core.ToJSONSchemaParams {
  return {
    io,
    override: ({ jsonSchema, zodSchema }) => {
      if (zodSchema === absentSchema) Object.assign(jsonSchema, { not: {} });
    },
    unrepresentable: "any",
  };
}
