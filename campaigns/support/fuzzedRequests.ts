import fc from "fast-check";
import type { JsonSchema, OpenApiDocument, Operation } from "../../scripts/openapi/OpenApiDocument.ts";
import type { FuzzedReady, KnownValues } from "./fuzzedEmulator.ts";

/** A random request to the API. */
export type FuzzedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly operation: Operation;
};

type Schema = Exclude<JsonSchema, boolean>;
type AnySchema = JsonSchema | boolean;

/** Nested schemas beyond this depth have no value. */
const deepest = 8;
/** Values at the borders of numbers and encodings. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, -1, 0, 1.5, 2 ** 53, 1e300, "", "0x", "-1", "0", `${2n ** 256n}`, `${2n ** 64n}`],
    ...[`0x${"ff".repeat(65)}`, `0x${"00".repeat(20)}`, "1".repeat(32), "x".repeat(600), [], {}, [[]]],
    ...["\u0000", "%", "' or 1=1 --", "__proto__", "\ud800", "𝕏", "9".repeat(80), "NaN"],
  ),
  fc.string({ maxLength: 40, unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Requests of all documented operations but changing ones of `/admin`: mostly of their schemas, with odd values in places. */
export function fuzzedRequest(document: OpenApiDocument, ready: FuzzedReady): fc.Arbitrary<FuzzedRequest> {
  const values = openValues(document, ready.known);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method === "get" || !path.startsWith("/admin/"))
      .map(([method, operation]) => requestOf(values, method.toUpperCase(), path, operation)),
  );
  const headers = fc.record(
    {
      "content-type": fc.constantFrom(...Array.from({ length: 20 }, () => "application/json"), "nonsense"),
      "x-admin-key": fc.constantFrom(ready.adminKey, "nonsense", ""),
      "x-api-key": fc.constantFrom(...Array.from({ length: 20 }, () => ready.apiKey), "nonsense"),
    },
    { requiredKeys: ["content-type", "x-api-key"] },
  );
  return fc
    .tuple(fc.oneof(...operations), headers)
    .map(([request, drawn]) => ({ ...request, headers: drawn }));
}

type Values = (schema: JsonSchema, name: string) => fc.Arbitrary<unknown>;

function requestOf(
  values: Values,
  method: string,
  path: string,
  operation: Operation,
): fc.Arbitrary<Omit<FuzzedRequest, "headers">> {
  const { parameters = [], requestBody } = operation;
  const schemaOf = ({ content, schema }: (typeof parameters)[number]) =>
    schema ?? content?.["application/json"]?.schema ?? {};
  const drawn = parameters.map((each) => [each.name, values(schemaOf(each), each.name)] as const);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  const named = fc.record(Object.fromEntries(drawn), { requiredKeys: required });
  // Most parameters exclude each other.
  const some = fc
    .tuple(named, fc.nat(2))
    .map(([all, most]) =>
      Object.entries(all).filter(([name], index) => required.includes(name) || index % 5 === most),
    );
  const body = requestBody === undefined ? undefined : requestBody.content["application/json"]?.schema;
  return fc
    .tuple(some, body === undefined ? fc.constant(undefined) : values(body, ""))
    .map(([entries, json]) => {
      let target = path;
      const query = new URLSearchParams();
      // A segment of dots alone would name another path.
      for (const [name, value] of entries) {
        const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
        if (target.includes(`{${name}}`))
          target = target.replace(`{${name}}`, /^\.{0,2}$/.test(text) ? "-" : encodeURIComponent(text));
        else query.set(name, text);
      }
      const search = query.size === 0 ? "" : `?${query}`;
      return { body: JSON.stringify(json), method, operation, path: `${target}${search}` };
    });
}

/** Returns a function that turns schemas of a document into values, some of them known to the emulator. */
function openValues({ components }: OpenApiDocument, known: KnownValues): Values {
  const mostly = (fitting: fc.Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: fitting, weight: 30 }, { arbitrary: odd, weight: 1 });
  const valuesOf = (given: AnySchema, name: string, depth: number): fc.Arbitrary<unknown> => {
    const schema = resolve(given);
    if (depth > deepest) return fc.constant(null);
    const { anyOf, const: constant, enum: choices, oneOf } = schema;
    if (constant !== undefined) return mostly(fc.constant(constant));
    if (choices !== undefined) return mostly(fc.constantFrom(...choices));
    const variants = anyOf ?? oneOf;
    if (variants !== undefined) return fc.oneof(...variants.map((each) => valuesOf(each, name, depth + 1)));
    return mostly(plain(schema, name, depth));
  };
  const resolve = (schema: AnySchema): Schema => {
    if (typeof schema === "boolean") return {};
    const target = schema.$ref?.split("/").at(-1);
    return target === undefined ? schema : resolve(components.schemas[target] ?? {});
  };
  const plain = (schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> => {
    const { items, maximum = 2 ** 31, minimum = 0, properties = {}, required = [], type } = schema;
    switch (type) {
      case "array": {
        const item = Array.isArray(items) ? {} : (items ?? {});
        return fc.array(valuesOf(item, name, depth + 1), { maxLength: 2 });
      }
      case "boolean":
        return fc.boolean();
      case "integer":
      case "number":
        if (/chainId$/i.test(name)) return fc.constantFrom(...known.chainIds);
        return fc.integer({ max: Math.min(maximum, 2 ** 31), min: Math.max(minimum, -(2 ** 31)) });
      case "object": {
        const fields = Object.entries(properties).map(([field, each]) => {
          const value = valuesOf(each, field, depth + 1).map((one) => [field, one]);
          if (required.includes(field)) return value;
          return fc.oneof({ arbitrary: fc.constant(null), weight: 20 }, { arbitrary: value, weight: 1 });
        });
        return fc
          .tuple(...fields)
          .map((entries) => Object.fromEntries(entries.filter((entry) => entry !== null)));
      }
      case "string":
        return text(schema, name);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };
  const text = ({ pattern }: Schema, name: string): fc.Arbitrary<string> => {
    const form = pattern === undefined ? undefined : new RegExp(pattern);
    const { accounts, currencies, ids } = known;
    const pool = /currency|token/i.test(name) ? currencies : /id$|hash/i.test(name) ? ids : accounts;
    const fitting = [...pool, "20000000", "20000000000000000"].filter((each) => form?.test(each) !== false);
    const made = form === undefined ? fc.string({ maxLength: 40 }) : fc.stringMatching(form);
    if (fitting.length === 0) return made;
    return fc.oneof({ arbitrary: fc.constantFrom(...fitting), weight: 8 }, { arbitrary: made, weight: 1 });
  };
  return (schema, name) => valuesOf(schema, name, 0);
}
