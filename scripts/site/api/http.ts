/** A page for each group of endpoints, and one of the schemas, from the OpenAPI document that the emulator serves. */

import type { SourceFile } from "../../checks/Problem.ts";
import type { JsonSchema, OpenApiDocument, Operation } from "../../openapi/OpenApiDocument.ts";
import { block, page, prose, row } from "./page.ts";

export function renderHttp({ components, paths, tags }: OpenApiDocument): SourceFile[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation, path })),
  );
  const groups = tags.map(({ description, name }, index) =>
    page(
      `http/${name.toLowerCase().replaceAll(" ", "-")}`,
      name,
      [
        prose(description),
        "",
        ...operations
          .filter(({ operation }) => operation.tags[0] === name)
          .flatMap(({ method, operation, path }) =>
            renderOperation(`${method.toUpperCase()} ${path}`, operation),
          ),
      ],
      index,
    ),
  );
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `## ${name}`,
    "",
    ...(schema.description === undefined ? [] : [prose(schema.description), ""]),
    ...renderSchema(schema),
  ]);
  return [...groups, page("http/schemas", "Schemas", schemas, tags.length)];
}

function renderOperation(title: string, operation: Operation): string[] {
  const {
    deprecated,
    description,
    parameters = [],
    requestBody,
    responses,
    security = [],
    summary,
  } = operation;
  const keys = security.flatMap((each) => Object.keys(each));
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  // VitePress takes braces at the end of a heading for attributes.
  const heading = title.replaceAll(/\{(\w+)\}/g, ":$1");
  const rows = parameters.map((each) => {
    const schema = each.schema ?? Object.values(each.content ?? {})[0]?.schema ?? {};
    return row(`\`${each.name}\``, typeOf(schema), each.required ? "yes" : "", prose(each.description ?? ""));
  });
  return [
    `## ${heading}`,
    "",
    `${prose(summary)}.${deprecated === true ? " **Deprecated.**" : ""}`,
    "",
    ...(description === undefined ? [] : [prose(description), ""]),
    ...(keys.length === 0 ? [] : [`Key: ${keys.join(", ")}${isOptional ? ", optional" : ""}.`, ""]),
    ...(rows.length === 0
      ? []
      : ["| parameter | type | required | is |", "| --- | --- | --- | --- |", ...rows, ""]),
    ...(requestBody === undefined ? [] : ["### Body", "", ...renderContent(requestBody.content)]),
    "### Answers",
    "",
    "| status | body | when |",
    "| --- | --- | --- |",
    ...Object.entries(responses).map(([status, { content = {}, description: when }]) => {
      const [type = "", { schema } = { schema: {} }] = Object.entries(content)[0] ?? [];
      return row(status, type === "application/json" ? typeOf(schema) : type, prose(when));
    }),
    "",
    ...examplesOf(responses["200"]?.content ?? {}),
  ];
}

function renderContent(content: NonNullable<Operation["requestBody"]>["content"]): string[] {
  const { schema = {} } = content["application/json"] ?? {};
  return [...("$ref" in schema ? [typeOf(schema), ""] : renderSchema(schema)), ...examplesOf(content)];
}

/** The first example of a body. */
function examplesOf(content: Readonly<Record<string, object>>): string[] {
  const { example, examples } = (content["application/json"] ?? {}) as {
    example?: unknown;
    examples?: object;
  };
  const value = example ?? Object.values(examples ?? {})[0]?.value;
  return value === undefined ? [] : block("json", JSON.stringify(value, null, 2));
}

function renderSchema(schema: JsonSchema): string[] {
  const rows = rowsOf(schema, "");
  if (rows.length === 0) return [typeOf(schema), ""];
  return ["| property | type | required | is |", "| --- | --- | --- | --- |", ...rows, ""];
}

/** A row for each property; those of nested objects by their path. */
function rowsOf(schema: JsonSchema, prefix: string): string[] {
  const parts = (schema.allOf ?? []) as JsonSchema[];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const each = property as JsonSchema;
    const path = prefix + name;
    const inner = rowsOf(
      each.type === "array" ? (each.items as JsonSchema) : each,
      `${path}${each.type === "array" ? "[]" : ""}.`,
    );
    const isRequired = schema.required?.includes(name) === true ? "yes" : "";
    return [row(`\`${path}\``, typeOf(each), isRequired, prose(each.description ?? "")), ...inner];
  });
  return [...parts.flatMap((part) => rowsOf(part, prefix)), ...own];
}

/** A schema's type in words; a named one as a link. */
function typeOf(schema: JsonSchema): string {
  const { $ref, allOf, anyOf, const: constant, enum: values, items, oneOf, pattern, type } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace("#/components/schemas/", "");
    return `[${name}](schemas.md#${name.toLowerCase()})`;
  }
  const all = (of: readonly unknown[], glue: string) =>
    [...new Set(of.map((each) => typeOf(each as JsonSchema)))].join(glue);
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (allOf !== undefined) return all(allOf, " and ");
  if (anyOf !== undefined || oneOf !== undefined) return all(anyOf ?? oneOf ?? [], " or ");
  if (type === "array") return `list of ${typeOf(items as JsonSchema)}`;
  const text = Array.isArray(type) ? type.join(" or ") : (type ?? "any");
  return pattern === undefined || pattern.length > 40 ? text : `${text} \`${pattern}\``;
}
