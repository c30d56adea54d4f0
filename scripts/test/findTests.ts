import { globSync } from "node:fs";
import { join } from "node:path";

/** Folders of tests with packages of their own, which other commands install. */
const APART: readonly string[] = ["browser", "fork"];

/** Finds the TypeScript files below a project's folder of tests, sorted, without those that have packages of their own. */
export function findTests(root: string, folder: string): string[] {
  const excluded = APART.map((name) => join(folder, name));
  const exclude = (path: string) => excluded.includes(path);
  return globSync(join(folder, "**", "*.ts"), { cwd: root, exclude }).sort();
}
