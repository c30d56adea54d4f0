import * as z from "zod/mini";

/** An undocumented field or value in a response. */
export type Unknown = {
  /** Dotted path, with `*` for entries of a list or record (`steps.*.brandNew`). */
  path: string;
  /** The documented alternatives of a value; `undefined` for a field. */
  documented: readonly string[] | undefined;
  /** `field`: an undocumented field. `value`: an undocumented value of an enum. */
  kind: "field" | "value";
  /** The value of an enum; `undefined` for a field. */
  value: string | undefined;
};

type Seen = { found: Map<string, Unknown>; limit: number };

/**
 * Lists undocumented fields and enum values of a valid value. A service newer than this library may return them.
 *
 * @param value A value that the schema accepts.
 */
export function findUnknown(schema: z.core.$ZodType, value: unknown, limit = 100): Unknown[] {
  const seen: Seen = { found: new Map(), limit };
  walk(schema as unknown as z.core.$ZodTypes, value, "", seen);
  return [...seen.found.values()];
}

function walk(schema: z.core.$ZodTypes, value: unknown, path: string, seen: Seen): void {
  if (seen.found.size >= seen.limit || value === null || value === undefined) return;
  const { def } = schema._zod;
  const inside = (inner: z.core.$ZodType) => (entry: unknown) =>
    walk(inner as z.core.$ZodTypes, entry, join(path, "*"), seen);
  if (def.type === "optional" || def.type === "nullable" || def.type === "default") {
    walk(def.innerType as z.core.$ZodTypes, value, path, seen);
  } else if (def.type === "array") {
    each(value, inside(def.element));
  } else if (def.type === "union") {
    walkUnion(def.options as readonly z.core.$ZodTypes[], value, path, seen);
  } else if (def.type === "object") {
    // An object schema without fields is a map: its keys are data.
    if (def.catchall && Object.keys(def.shape).length === 0) each(value, inside(def.catchall));
    else walkObject(def, value, path, seen);
  }
}

function walkObject(def: z.core.$ZodObjectDef, value: unknown, path: string, seen: Seen): void {
  if (typeof value !== "object" || def.catchall === undefined) return;
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    const inner = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (inner === undefined)
      report({ documented: undefined, kind: "field", path: join(path, name), value: undefined }, seen);
    else walk(inner as z.core.$ZodTypes, field, join(path, name), seen);
  }
}

/** An open enum is a union of an enum and any text. For other unions, follows the first member that accepts the value. */
function walkUnion(options: readonly z.core.$ZodTypes[], value: unknown, path: string, seen: Seen): void {
  const [first, second] = options.map((option) => option._zod.def);
  if (first?.type === "enum" && second?.type === "string") {
    const documented = Object.values(first.entries).map(String);
    if (typeof value === "string" && !documented.includes(value)) {
      report({ documented, kind: "value", path, value }, seen);
    }
    return;
  }
  const meant = options.find((option) => z.safeParse(option, value).success);
  if (meant !== undefined) walk(meant, value, path, seen);
}

function each(value: unknown, visit: (entry: unknown) => void): void {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
}

function report(unknown: Unknown, { found, limit }: Seen): void {
  const key = `${unknown.path} ${unknown.value ?? ""}`;
  if (found.size < limit && !found.has(key)) found.set(key, unknown);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
