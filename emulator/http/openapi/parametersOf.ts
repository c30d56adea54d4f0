import type { RouteDocument } from "../route/Route.ts";
import { toJsonSchema } from "./nameSchemas.ts";
import type { JsonSchema, Parameter } from "./OpenApiDocument.ts";

/** The parameters of a route's path and query, in the order of its schemas. */
export function parametersOf({ notes = {}, params, query }: RouteDocument): Parameter[] {
  return [
    ...(params === undefined ? [] : read(params, "path", notes)),
    ...(query === undefined ? [] : read(query, "query", notes)),
  ];
}

/**
 * All parameters are text on the wire; the document says what that text stands for, so that a chain id is an integer. Whether
 * one may be left out is another matter: one with a default may.
 */
function read(
  schema: NonNullable<RouteDocument["query"]>,
  place: Parameter["in"],
  notes: Readonly<Record<string, string>>,
): Parameter[] {
  const { required = [] } = toJsonSchema(schema, "input");
  const { properties = {} } = toJsonSchema(schema, "output");
  return Object.entries(properties).map(([name, property]) => ({
    in: place,
    name,
    required: required.includes(name),
    ...(notes[name] !== undefined && { description: notes[name] }),
    ...writtenAs(property as JsonSchema),
  }));
}

/** Lists of values are written with commas, lists of groups as JSON. */
function writtenAs(schema: JsonSchema): Pick<Parameter, "content" | "explode" | "schema" | "style"> {
  if (schema.type !== "array") return { schema };
  const items = schema.items as JsonSchema;
  if (items.type === "object") return { content: { "application/json": { schema } } };
  return { explode: false, schema, style: "form" };
}
