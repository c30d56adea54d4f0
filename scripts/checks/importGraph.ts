import { posix } from "node:path";
import ts from "typescript";
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

/** One import, export-from or literal dynamic import; `target` is a repository path or a package's name. */
export type ImportEdge = { from: string; target: string; line: number; isPackage: boolean };

/** Resolves what a file says to a repository path; a package keeps its name. */
function toEdge(from: string, text: string, specifier: string, position: number): ImportEdge {
  const isPackage = !specifier.startsWith(".");
  const target = isPackage ? specifier : posix.join(posix.dirname(from), specifier);
  return { from, target, line: lineAt(text, position), isPackage };
}

export function typescriptImports({ path, text }: SourceFile): ImportEdge[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName, pos }) => toEdge(path, text, fileName, pos));
}

export function solidityImports({ path, text }: SourceFile): ImportEdge[] {
  return [...text.matchAll(/^\s*import\s[^;]*?["']([^"']+)["']/gm)].map((match) =>
    toEdge(path, text, match[1] ?? "", match.index + match[0].length),
  );
}

/** The first part of a package's name that npm knows: `viem/accounts` is `viem`. */
export function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

/** Finds the circles in a graph, each once, as the list of files one meets on the way round. */
function findCycles(edges: readonly ImportEdge[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, target, isPackage } of edges) {
    if (!isPackage) next.set(from, [...(next.get(from) ?? []), target]);
  }
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    if (finished.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    finished.add(file);
  };
  for (const file of [...next.keys()].sort()) visit(file, []);
  return cycles;
}

/** No file may reach itself by imports: neither can be read, tested or moved without the other. */
export function checkCycles(edges: readonly ImportEdge[]): Problem[] {
  return findCycles(edges).map(([file = "", ...way]) => ({
    file,
    message: `imports itself by way of ${way.join(" → ")}`,
  }));
}
