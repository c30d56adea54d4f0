/** Writes `docs/reference/claims.md`, the tests of each guide's claims, from `docs/claims/<guide>.json`. */
import { writeFileSync } from "node:fs";
import { dirname, join, parse, posix } from "node:path";
import ts from "typescript";
import { checkGenerated } from "../checks/generated.ts";
import type { Problem, SourceFile } from "../checks/Problem.ts";
import { listFiles, readFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";
import { type NamedTest, readTest } from "../specification/findMarks.ts";
import { readMarkedTests, renderLink } from "./specification.ts";

/** The page's path from the root. */
export const CLAIMS_PAGE = "docs/reference/claims.md";

/** The page that names each scenario. */
const SCENARIOS = "docs/reference/scenarios.md";

/** Titles of the tests of each claim, as their sources have them: "…" or a value for each placeholder. */
type Claims = Readonly<Record<string, string | readonly string[]>>;
type Test = NamedTest & { readonly file: string };

const SOLIDITY_TEST = /\b(?:contract|function)\s+(\w+)/g;
/** Minimum of fixed characters: the title `${name}` would match any other. */
const SHORTEST_TEMPLATE = 8;

/** What fills the placeholders of a test's title in a claim; undefined if it is another test's. */
function readValues(claimed: string, { title }: Test): readonly string[] | undefined {
  const words = title.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${words.join("(.*)")}$`).exec(claimed)?.slice(1);
}

/** Renders the page, and reports each title that no test has, and claims of no guide. */
export function renderClaims(
  files: readonly SourceFile[],
  sources: readonly SourceFile[],
  guides: readonly string[],
): { page: SourceFile; problems: readonly Problem[] } {
  const tests = sources.flatMap((source) => {
    if (source.path.endsWith(".sol")) return solidityTests(source);
    return source.path.endsWith(".ts") ? typescriptTests(source) : [];
  });
  const byTitle = Map.groupBy(tests, ({ title }) => title);
  const templates = tests.filter(({ title }) => title.replaceAll("…", "").length >= SHORTEST_TEMPLATE);
  // A table of cases stands in the test's file, in the folder beside it, or in the catalogue of scenarios.
  const isNear = (test: Test, path: string) =>
    path.startsWith(`${dirname(test.file)}/`) || path === SCENARIOS;
  const stands = (value: string, test: Test) =>
    value
      .split("…")
      .every((part) => sources.some(({ path, text }) => isNear(test, path) && text.includes(part)));
  const problems: Problem[] = [];
  const findTests = (title: string, path: string): readonly Test[] => {
    const found =
      byTitle.get(title) ??
      templates.filter((test) => readValues(title, test)?.every((value) => stands(value, test)));
    if (found.length === 0)
      problems.push({ file: path, message: `names the test "${title}", which does not exist` });
    return found.map((test) => ({ ...test, title }));
  };
  const sections = files.map(({ path, text }) => {
    const { name } = parse(path);
    const claims: Claims = JSON.parse(text);
    const guide = guides.find((each) => parse(each).name === name);
    if (guide === undefined)
      problems.push({ file: path, message: "has claims of a guide that does not exist" });
    const link = posix.relative(dirname(CLAIMS_PAGE), guide ?? path);
    const rows = Object.entries(claims).map(([claim, titles]) => {
      const links = [titles].flat().flatMap((title) => findTests(title, path));
      return `| ${claim.replaceAll("|", "\\|")} | ${[...new Set(links.map((test) => renderLink(test, test.file)))].join("<br>")} |`;
    });
    return [
      `## ${name}`,
      "",
      `Claims of [${name}](${link}).`,
      "",
      "| claim | tests |",
      "| --- | --- |",
      ...rows,
      "",
    ];
  });
  const head = [
    "# Claims and their tests",
    "",
    "Which test proves which claim of a guide. `npm run generate` writes this page from `docs/claims`. Do not edit.",
    "",
  ];
  return { page: { path: CLAIMS_PAGE, text: [...head, ...sections.flat()].join("\n") }, problems };
}

/** Checks the page and the titles; `fix` writes the page. */
export function checkClaims(fix: boolean): Problem[] {
  const files = readFiles(".json").filter(({ path }) => path.startsWith("docs/claims/"));
  const pagesAt = (wanted: string) => readFiles(".md").filter(({ path }) => path === wanted);
  const guides = listFiles().filter((path) => /^docs\/[^.].*\.md$/.test(path));
  const { page, problems } = renderClaims(files, [...readMarkedTests(), ...pagesAt(SCENARIOS)], guides);
  if (fix) writeFileSync(join(root, CLAIMS_PAGE), page.text);
  return [...problems, ...checkGenerated([page], pagesAt(CLAIMS_PAGE))];
}

function solidityTests({ path, text }: SourceFile): Test[] {
  return [...text.matchAll(SOLIDITY_TEST)].map(([, title = ""]) => ({ file: path, isCode: true, title }));
}

function typescriptTests({ path, text }: SourceFile): Test[] {
  const tests: Test[] = [];
  const visit = (node: ts.Node): void => {
    const test = ts.isCallExpression(node) ? readTest(node) : undefined;
    if (test !== undefined) tests.push({ file: path, ...test });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true));
  return tests;
}

if (import.meta.main) {
  for (const { file, message } of checkClaims(true)) throw new Error(`${file} ${message}.`);
  process.stdout.write(`${CLAIMS_PAGE} written\n`);
}
