import { solidityImports } from "../checks/imports/importGraph.ts";
import type { SourceFile } from "../checks/Problem.ts";

/** Lists the files of Solidity tests that import a file, directly or not. Those that most likely notice its faults come first. */
export function findReachingTests(file: string, solidity: readonly SourceFile[]): string[] {
  const importers = new Map<string, string[]>();
  for (const { from, target } of solidity.flatMap(solidityImports)) {
    importers.set(target, [...(importers.get(target) ?? []), from]);
  }
  const distances = new Map([[file, 0]]);
  for (const [reached, distance] of distances) {
    for (const importer of importers.get(reached) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  const name = baseName(file);
  const rank = (test: string, distance: number) => (baseName(test) === name ? 0 : distance);
  return [...distances]
    .filter(([path]) => path.startsWith("test/solidity/") && path.endsWith(".t.sol"))
    .sort(([one, near], [other, far]) => rank(one, near) - rank(other, far) || (one < other ? -1 : 1))
    .map(([path]) => path);
}

function baseName(path: string): string {
  return path.replace(/^.*\//, "").split(".")[0] ?? "";
}
