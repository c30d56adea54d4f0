import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorsOf } from "../../scripts/checks/docsLinks.ts";

export const root = join(import.meta.dirname, "../..");
const pages = new Map<string, Set<string>>();

/** Whether `docsPath` of an error names a heading of an existing page. */
export function isHeading(docsPath: string | undefined): boolean {
  const [page = "", anchor] = (docsPath ?? "").split("#");
  if (anchor === undefined || !/^docs\/[\w-]+\/[\w-]+\.md$/.test(page)) return false;
  const known = pages.get(page);
  if (known !== undefined) return known.has(anchor);
  const file = join(root, page);
  pages.set(page, existsSync(file) ? anchorsOf(readFileSync(file, "utf8")) : new Set());
  return isHeading(docsPath);
}
