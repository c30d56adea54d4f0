import * as classic from "zod";

/** A schema of this folder in the form that has methods, with the same types. */
export type Classic<Schema extends classic.core.$ZodType> = Schema extends {
  _zod: { def: { type: "object"; shape: infer Shape extends classic.core.$ZodShape } };
}
  ? classic.ZodObject<Shape, classic.core.$strip>
  : classic.ZodType<classic.output<Schema>, classic.input<Schema>>;

const known = new WeakMap<classic.core.$ZodType, classic.ZodType>();

/**
 * Gives a schema of the wire the methods of classic zod, for tools that need them: generators of OpenAPI documents
 * among them. It accepts and returns exactly what the schema does.
 *
 * The schemas themselves are made with `zod/mini`, because classic zod alone would be more than half of a browser
 * bundle. The library never imports this file.
 *
 * The same schema gives the same result each time, so that what is registered about it (a name, an example) is found
 * again wherever it is a part of another one.
 *
 * @throws TypeError for a kind of schema that the wire format does not use.
 *
 * @example
 * toClassic(currencySchema).describe("A currency on a chain");
 */
export function toClassic<Schema extends classic.core.$ZodType>(schema: Schema): Classic<Schema> {
  const found = known.get(schema);
  const result = found ?? build(schema as unknown as classic.core.$ZodTypes);
  if (found === undefined) known.set(schema, result);
  return result as Classic<Schema>;
}

const inner = (schema: classic.core.$ZodType): classic.ZodType => toClassic(schema) as classic.ZodType;

function build({ _zod: { def } }: classic.core.$ZodTypes): classic.ZodType {
  switch (def.type) {
    case "object": {
      const shape = Object.fromEntries(
        Object.entries(def.shape).map(([name, field]) => [name, inner(field)]),
      );
      const rest = def.catchall === undefined ? {} : { catchall: inner(def.catchall) };
      return new classic.ZodObject({ ...def, ...rest, shape });
    }
    case "array":
      return new classic.ZodArray({ ...def, element: inner(def.element) });
    case "record":
      return new classic.ZodRecord({
        ...def,
        keyType: inner(def.keyType) as classic.ZodString,
        valueType: inner(def.valueType),
      });
    case "union":
      return new classic.ZodUnion({ ...def, options: def.options.map(inner) });
    case "optional":
      return new classic.ZodOptional({ ...def, innerType: inner(def.innerType) });
    case "nullable":
      return new classic.ZodNullable({ ...def, innerType: inner(def.innerType) });
    case "default":
      return new classic.ZodDefault({ ...def, innerType: inner(def.innerType) });
    case "pipe":
      return new classic.ZodPipe({ ...def, in: inner(def.in), out: inner(def.out) });
    default:
      return buildLeaf(def);
  }
}

function buildLeaf(def: classic.core.$ZodTypes["_zod"]["def"]): classic.ZodType {
  switch (def.type) {
    case "string":
      return new classic.ZodString(def);
    case "number":
      return "format" in def
        ? new classic.ZodNumberFormat(def as classic.core.$ZodNumberFormatDef)
        : new classic.ZodNumber(def);
    case "boolean":
      return new classic.ZodBoolean(def);
    case "enum":
      return new classic.ZodEnum(def);
    case "literal":
      return new classic.ZodLiteral(def);
    case "transform":
      return new classic.ZodTransform(def);
    case "never":
      return new classic.ZodNever(def);
    case "unknown":
      return new classic.ZodUnknown(def);
    default:
      throw new TypeError(`The wire format has no schemas of type ${def.type}`);
  }
}
