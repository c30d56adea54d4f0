/**
 * Rule: no page gets more sentences of twenty words and more, nor more banned words, than `prose.json` allows it. A page that the
 * file does not list may have one long sentence in ten, and no banned word. `--fix` lowers the limits to what pages have.
 */
import type { Problem, SourceFile } from "./Problem.ts";

/** Counts of a page. */
export type Prose = { banned: number; long: number };

export const PROSE_LIMITS = "scripts/checks/prose.json";

/** A sentence of this many words is long. */
const LONG = 20;
const BANNED =
  /\b(?:nobody|somebody|anybody|whoever|nought|by heart|held against|has not got|is told|are told)\b/gi;
/** Pages that are written from tests, statements or packages. */
const GENERATED = /^docs\/reference\/(?:claims|licences|specification)\.md$/;

export function countProse(text: string): Prose & { sentences: number } {
  const prose = text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^(```+)[\s\S]*?^\1$/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^(?:\||#).*$/gm, "")
    .replace(/`[^`]*`/g, "code")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const paragraphs = prose.split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) /);
  const sentences = paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.:!?])\s+/))
    .map((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length)
    .filter((words) => words > 0);
  return {
    banned: [...prose.matchAll(BANNED)].length,
    long: sentences.filter((words) => words >= LONG).length,
    sentences: sentences.length,
  };
}

/** Finds the pages above their limits, and the limits after a lowering. */
export function checkProse(
  pages: readonly SourceFile[],
  limits: Readonly<Record<string, Prose>>,
): { problems: Problem[]; lowered: Record<string, Prose> } {
  const problems: Problem[] = [];
  const lowered: Record<string, Prose> = {};
  for (const { path, text } of pages) {
    if (!/^(?:README\.md$|docs\/)/.test(path) || GENERATED.test(path)) continue;
    const found = countProse(text);
    const { banned, long } = limits[path] ?? { banned: 0, long: Math.ceil(found.sentences / 10) };
    if (found.long > long)
      problems.push({
        file: path,
        message: `has ${found.long} sentences of ${LONG} words and more; ${long} are allowed`,
      });
    if (found.banned > banned)
      problems.push({ file: path, message: `has ${found.banned} banned words; ${banned} are allowed` });
    lowered[path] = { banned: Math.min(banned, found.banned), long: Math.min(long, found.long) };
  }
  return { lowered, problems };
}
