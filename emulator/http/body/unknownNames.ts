import * as z from "zod";

/** Maximum sentences about one value: each compares a name with all known ones. */
const maxSentences = 10;

/**
 * Sentences about the first ten places of a value that its schema does not name, each with the nearest name that it has: the service
 * ignores them, so a misspelt option or filter would go unnoticed. All entries of a list are one place, such as `txs.*.valu`.
 */
export function describeUnknown(value: unknown, schema: z.core.$ZodType): readonly string[] {
  const sentences = new Map<string, string>();
  addUnknown(value, { names: namesOf(schema), place: "" }, sentences);
  return [...sentences.values()];
}

/** The option of a union that a value's discriminator chooses; else the schema itself. */
export function chosenBy(value: unknown, schema: z.core.$ZodType): z.core.$ZodType {
  if (!(schema instanceof z.core.$ZodDiscriminatedUnion)) return schema;
  const { discriminator, options } = schema._zod.def;
  const chosen = (value as Readonly<Record<string, z.core.util.Primitive>>)[discriminator];
  return options.find((option) => option._zod.propValues?.[discriminator]?.has(chosen)) ?? schema;
}

/** Names of an object, or of the objects of a list or union, with those inside each. A value of another form has none. */
type Names = ReadonlyMap<string, Names>;
/** Stands for the name of every entry of a list. */
const entry = "*";
const collected = new WeakMap<z.core.$ZodType, Names>();

function namesOf(schema: z.core.$ZodType): Names {
  const names = collected.get(schema) ?? collect(schema);
  collected.set(schema, names);
  return names;
}

function collect(schema: z.core.$ZodType): Names {
  if (schema instanceof z.core.$ZodObject) {
    return new Map(Object.entries(schema._zod.def.shape).map(([name, field]) => [name, collect(field)]));
  }
  if (schema instanceof z.core.$ZodArray) return new Map([[entry, collect(schema._zod.def.element)]]);
  if (schema instanceof z.core.$ZodUnion) return merge(schema._zod.def.options.map(collect));
  if (schema instanceof z.core.$ZodPipe) return collect(schema._zod.def.in);
  const { def } = schema._zod;
  return "innerType" in def ? collect(def.innerType as z.core.$ZodType) : new Map();
}

/** Names of any of these forms. Nothing is compared inside a name that is opaque in one of them. */
function merge(forms: readonly Names[]): Names {
  const merged = new Map<string, Names>();
  for (const [name, inner] of forms.flatMap((form) => [...form])) {
    const other = merged.get(name) ?? inner;
    merged.set(name, other.size === 0 || inner.size === 0 ? new Map() : merge([other, inner]));
  }
  return merged;
}

type Level = { readonly names: Names; readonly place: string };

/** Adds a sentence for each new place, up to the maximum. */
function addUnknown(value: unknown, { names, place }: Level, sentences: Map<string, string>): void {
  if (names.size === 0 || typeof value !== "object" || value === null) return;
  const ofEntries = names.get(entry);
  if (Array.isArray(value) !== (ofEntries !== undefined)) return;
  for (const name of Object.keys(value)) {
    if (sentences.size === maxSentences) return;
    const inner = ofEntries ?? names.get(name);
    if (inner === undefined) describe(name, { names, place }, sentences);
    else {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      const part = ofEntries === undefined ? name : entry;
      addUnknown(field, { names: inner, place: `${place}${part}.` }, sentences);
    }
  }
}

function describe(name: string, { names, place }: Level, sentences: Map<string, string>): void {
  // A name is the caller's text: it must fit into a header and a line of the log.
  const cut = name.slice(0, 64);
  const path = `${place}${cut}`;
  if (sentences.has(path)) return;
  const meant = nearest(cut, names.keys());
  const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  sentences.set(path, `\`${path.replace(/[^\x20-\x7e]/g, "?")}\` is unknown${hint}`);
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
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
