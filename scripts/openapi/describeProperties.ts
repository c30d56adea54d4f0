import type { Parameter } from "./OpenApiDocument.ts";
import { readSentences, shapeKey } from "./readSentences.ts";

type Json = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, object>>;

/**
 * Describes every property of a document's schemas, and every parameter: by its docstring in the sources, else by the glossary.
 * An entry `owner.name` of the glossary goes before `name`. The owner of a property is the property that holds its object, or
 * the schema; that of a parameter is the operation.
 *
 * @param sentenceOf Returns the docstring of a property, by the names of its object.
 * @returns The described document, and what is wrong: properties without a sentence, entries without a property.
 */
export function describeProperties<Document extends { readonly components: { readonly schemas: Schemas } }>(
  document: Document,
  glossary: Readonly<Record<string, string>>,
  sentenceOf = readSentences(),
): { document: Document; problems: readonly string[] } {
  const missing = new Set<string>();
  const used = new Set<string>();

  const describe = (name: string, names: readonly string[], owner: string): string => {
    const docstring = sentenceOf(shapeKey(names), name);
    if (docstring !== undefined) return docstring;
    if (name.startsWith("not:")) return `Excludes a value of \`${name.slice(4)}\`.`;
    const entry = [`${owner}.${name}`, name].find((each) => each in glossary);
    if (entry === undefined) missing.add(`${owner}.${name}`);
    else used.add(entry);
    return glossary[entry ?? ""] ?? "";
  };
  const walk = (value: unknown, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => walk(each, owner));
    if (typeof value !== "object" || value === null) return value;
    const { operationId } = value as Json;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (key === "properties") return [key, describeAll(each, owner)];
        const isOperation = key === "parameters" && typeof operationId === "string";
        return [key, isOperation ? describeParameters(each, operationId) : walk(each, owner)];
      }),
    );
  };
  const describeAll = (properties: Schemas, owner: string) => {
    const names = Object.keys(properties);
    const described = Object.entries(properties).map(([name, schema]) => [
      name,
      // A field that must be absent has nothing to describe.
      "not" in schema
        ? schema
        : { ...(walk(schema, name) as Json), description: describe(name, names, owner) },
    ]);
    return Object.fromEntries(described);
  };
  /** Parameters of one place are the properties of one schema. */
  const describeParameters = (parameters: readonly Parameter[], operationId: string) =>
    parameters.map((parameter) => {
      const { in: place, name } = parameter;
      const names = parameters.filter((each) => each.in === place).map((each) => each.name);
      const { description = describe(name, names, operationId) } = parameter;
      return { ...(walk(parameter, name) as Parameter), description };
    });

  const { components, ...rest } = document;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, walk(schema, name)]);
  const described = {
    ...(walk(rest, "") as object),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  } as unknown as Document;
  const idle = Object.keys(glossary).filter((entry) => !used.has(entry));
  return {
    document: described,
    problems: [
      ...[...missing].map((name) => `${name} has neither a docstring nor an entry in the glossary`),
      ...idle.map((entry) => `${entry} of the glossary describes no property`),
    ],
  };
}
