import { posix } from "node:path";
import ts from "typescript";
import { lineAt, type SourceFile } from "../Problem.ts";

/** One import, export-from or literal dynamic import; `target` is a repository path or a package's name. */
export type ImportEdge = { from: string; target: string; line: number; isPackage: boolean };

/** Resolves an import to a repository path, or to a package's name. */
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

/** The npm name of an imported package: `viem` for `viem/accounts`. */
export function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
