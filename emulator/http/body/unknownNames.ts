import * as z from "zod";

/** Maximum sentences about one value: each compares a name with all known ones. */
const maxSentences = 10;

/**
 * Sentences about the first ten names of a value that its schema does not have, each with the nearest name that it has: the service
 * ignores them, so a misspelt option or filter would go unnoticed.
 */
export function describeUnknown(value: unknown, schema: z.core.$ZodType): readonly string[] {
  const known = namesOf(schema);
  if (known.size === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .slice(0, maxSentences)
    .map((name) => describeName(name, known));
}

/** Sentence about one unknown name. */
function describeName(name: string, known: Iterable<string>): string {
  // A name is the caller's text: it must fit into a header and a line of the log.
  const shown = name.slice(0, 64).replace(/[^\x20-\x7e]/g, "?");
  const meant = nearest(name, known);
  return `\`${shown}\` is unknown${meant === undefined ? "" : `; did you mean \`${meant}\`?`}`;
}

const known = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** The option of a union that a value's discriminator chooses; else the schema itself. */
export function chosenBy(value: unknown, schema: z.core.$ZodType): z.core.$ZodType {
  if (!(schema instanceof z.core.$ZodDiscriminatedUnion)) return schema;
  const { discriminator, options } = schema._zod.def;
  const chosen = (value as Readonly<Record<string, z.core.util.Primitive>>)[discriminator];
  return options.find((option) => option._zod.propValues?.[discriminator]?.has(chosen)) ?? schema;
}

/** Names of an object schema, or of all objects of a union; none for a schema of other values. */
function namesOf(schema: z.core.$ZodType): ReadonlySet<string> {
  const names = known.get(schema) ?? new Set(collect(schema));
  known.set(schema, names);
  return names;
}

function collect(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.core.$ZodObject) return Object.keys(schema._zod.def.shape);
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(collect);
  if (schema instanceof z.core.$ZodPipe) return collect(schema._zod.def.in);
  if (schema instanceof z.core.$ZodOptional) return collect(schema._zod.def.innerType);
  return [];
}

/** The name with the fewest letters changed, if a third of them at most. */
function nearest(name: string, names: Iterable<string>): string | undefined {
  const least = Math.max(1, Math.floor(name.length / 3));
  const near = [...names].map((each) => ({ each, steps: distance(name.toLowerCase(), each.toLowerCase()) }));
  return near.filter(({ steps }) => steps <= least).toSorted((one, other) => one.steps - other.steps)[0]
    ?.each;
}

/** Number of letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one.slice(0, 64)].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
