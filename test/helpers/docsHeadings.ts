import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorsOf } from "../../scripts/checks/docsLinks.ts";
import { docsRoot } from "../../src/errors/docsRoot.ts";

export const root = join(import.meta.dirname, "../..");
const pages = new Map<string, Set<string>>();

/** Whether `docsUrl` of an error names a heading of an existing page. */
export function isHeading(docsUrl: string | undefined): boolean {
  const [url = "", anchor] = (docsUrl ?? "").split("#");
  if (anchor === undefined || !url.startsWith(docsRoot)) return false;
  const page = url.slice(docsRoot.length);
  const known = pages.get(page);
  if (known !== undefined) return known.has(anchor);
  const file = join(root, "docs", page);
  pages.set(page, existsSync(file) ? anchorsOf(readFileSync(file, "utf8")) : new Set());
  return isHeading(docsUrl);
}
