/**
 * Rule: a test that a page names exists. A page names a TypeScript test by its title in double quotes, in a table row or beside the
 * path of a test file. "…" stands for the values that a title fills in. Claims name the other tests. A Solidity test or a proof is
 * named by its function, in backquotes, anywhere.
 */
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

/** Minimum length of a title; shorter quotations are words. */
const SHORTEST_TITLE = 12;
/** A title may wrap, but does not leave its paragraph. */
const TITLE = /"((?:[^"\n]|\n(?!\n))*)"/g;
const DECLARED_TITLE =
  /\b(?:it|describe)\(\s*(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;

/** Minimum of fixed characters: a title such as `${name}` would match any other. */
const SHORTEST_TEMPLATE = 8;

/** Lines in which a quotation is the name of a test. */
function namesTests(line: string): boolean {
  return line.startsWith("|") || /\btest\/[\w/.{},*-]+/.test(line) || /\.test\.ts/.test(line);
}

/** Builds a pattern that matches any values of a title's placeholders. */
function toPattern(title: string): RegExp {
  const parts = title.split(/\$\{[^}]*\}|…/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** The titles of TypeScript tests as their sources have them. */
function declaredTitles(tests: readonly SourceFile[]): string[] {
  return tests
    .filter(({ path }) => path.endsWith(".ts"))
    .flatMap(({ text }) => [...text.matchAll(DECLARED_TITLE)])
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

const SOLIDITY_TEST = /`((?:test|testFuzz|invariant|check)_\w+)`/g;

function checkSolidityTests(pages: readonly SourceFile[], tests: readonly SourceFile[]): Problem[] {
  const solidity = tests.filter(({ path }) => path.endsWith(".sol"));
  const declared = new Set(
    solidity.flatMap(({ text }) => [...text.matchAll(/\bfunction (\w+)/g)].map(([, name]) => name)),
  );
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(SOLIDITY_TEST)]
      .filter(([, name]) => !declared.has(name))
      .map(({ 1: name, index }) => ({
        file: path,
        line: lineAt(text, index),
        message: `names the test ${name}, which does not exist`,
      })),
  );
}

export function checkNamedTests(pages: readonly SourceFile[], tests: readonly SourceFile[]): Problem[] {
  const titles = declaredTitles(tests);
  const patterns = titles
    .filter((title) => title.replace(/\$\{[^}]*\}/g, "").length >= SHORTEST_TEMPLATE)
    .map(toPattern);
  const isTitle = (named: string) =>
    patterns.some((pattern) => pattern.test(named)) || titles.some((title) => toPattern(named).test(title));

  const problems = pages.flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)]
      .filter(([, title = ""]) => title.length >= SHORTEST_TITLE)
      .filter((match) => namesTests(text.split("\n")[lineAt(text, match.index) - 1] ?? ""))
      .map((match) => ({ match, title: match[1]?.replace(/\s+/g, " ") ?? "" }))
      .filter(({ title }) => !isTitle(title))
      .map(({ match, title }) => ({
        file: path,
        line: lineAt(text, match.index),
        message: `names the test "${title}", which does not exist`,
      })),
  );
  return [...problems, ...checkSolidityTests(pages, tests)];
}
