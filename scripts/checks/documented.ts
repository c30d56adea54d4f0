/**
 * Rule: every exported name has a sentence, and every exported function and class an example that imports it from an entry
 * point. An example of a constant would only print it, and an error may go without: docs/reference/codes.md says what to do about it.
 * `fnParameters`, `fnReturnType` and `ClassOptions` need no sentence, because that of `fn` or `Class` documents them.
 */
import type { EntryPoint, Export } from "./entryPoints.ts";
import type { Problem } from "./Problem.ts";

export function checkDocumented(entries: readonly EntryPoint[]): Problem[] {
  const seen = new Set<string>();
  const values = new Set(
    entries.flatMap(({ exports }) => exports.flatMap(({ kind, name }) => (kind === "type" ? [] : [name]))),
  );
  return entries.flatMap(({ exports, specifier }) =>
    exports.flatMap((exported) => {
      const { file, line, name } = exported;
      const key = `${file} ${name}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const message = belongsTo(values, exported) ? undefined : missing(exported);
      return message === undefined
        ? []
        : [{ file, line, message: `${specifier} exports ${name}, which ${message}` }];
    }),
  );
}

/** Whether a type is named after a function or class that is exported too. */
function belongsTo(values: ReadonlySet<string>, { kind, name }: Export): boolean {
  const [, first = "", rest = ""] = /^(.)(.*)(?:Options|Parameters|ReturnType)$/.exec(name) ?? [];
  return kind === "type" && (values.has(first.toLowerCase() + rest) || values.has(first + rest));
}

function missing({ documentation, examples, kind, name }: Export): string | undefined {
  if (documentation.trim() === "") return "nothing is said about";
  if (kind === "type" || kind === "constant") return undefined;
  if (kind === "class" && name.endsWith("Error") && examples.length === 0) return undefined;
  if (examples.length !== 1) return `has ${examples.length} examples instead of one`;
  return imports(examples[0] ?? "", name) ? undefined : "has an example that does not import it";
}

/** Whether code imports a name from one of the entry points. */
function imports(code: string, name: string): boolean {
  const clauses = code.matchAll(
    /^import (?:\{([^}]*)\}|[a-zA-Z]+) from "(?:waybill(?:\/[a-z]+)?|@waybill\/[a-z]+(?:\/[a-z]+)?)";$/gm,
  );
  return [...clauses].some(([, names = "default"]) => names.split(",").some((part) => part.trim() === name));
}
