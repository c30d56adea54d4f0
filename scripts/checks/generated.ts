/** Rule: committed generated files equal the generator's current output. */
import type { Problem, SourceFile } from "./Problem.ts";

export function checkGenerated(expected: readonly SourceFile[], committed: readonly SourceFile[]): Problem[] {
  const found = new Map(committed.map(({ path, text }) => [path, text]));
  const wanted = new Set(expected.map(({ path }) => path));
  const stale = expected
    .filter(({ path, text }) => found.get(path) !== text)
    .map(({ path }) => ({
      file: path,
      message: `${found.has(path) ? "is stale" : "is missing"}: run "npm run generate" and commit the result`,
    }));
  const strange = committed
    .filter(({ path }) => !wanted.has(path))
    .map(({ path }) => ({ file: path, message: "is not generated from any listed contract: remove it" }));
  return [...stale, ...strange];
}
