/** Rule: every exported name has a sentence, and every exported value an example that imports it from an entry point. */
import type { EntryPoint, Export } from "./entryPoints.ts";
import type { Problem } from "./Problem.ts";

export function checkDocumented(entries: readonly EntryPoint[]): Problem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ exports, specifier }) =>
    exports.flatMap((exported) => {
      const { file, line, name } = exported;
      const key = `${file} ${name}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const message = missing(exported);
      return message === undefined
        ? []
        : [{ file, line, message: `${specifier} exports ${name}, which ${message}` }];
    }),
  );
}

function missing({ documentation, examples, kind, name }: Export): string | undefined {
  if (documentation.trim() === "") return "nothing is said about";
  if (kind === "type") return undefined;
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
