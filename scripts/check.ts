/**
 * Runs every static check: `npm run check`.
 *
 * Prints a line per check with its time, then the output of failed checks. `--fix` applies automatic fixes; `--only a,b`
 * selects checks.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkCopiedBlocks } from "./checks/copiedBlocks.ts";
import { checkDocs, checkSidebar } from "./checks/docsLinks.ts";
import { checkDocumented } from "./checks/documented.ts";
import { readEntryPoints } from "./checks/entryPoints.ts";
import { checkFileSizes } from "./checks/fileSize.ts";
import { checkGenerated } from "./checks/generated.ts";
import { checkSolidityImports } from "./checks/imports/solidityImports.ts";
import { checkTypescriptImports } from "./checks/imports/typescriptImports.ts";
import { reportLicences } from "./checks/licences.ts";
import { checkLockfile, completeLockfile, type Lockfile } from "./checks/lockfile.ts";
import { checkNamedTests } from "./checks/namedTests.ts";
import { formatProblem, type Problem } from "./checks/Problem.ts";
import { checkPackageExports } from "./checks/packageExports.ts";
import { readPackages } from "./checks/packages.ts";
import { checkProse, PROSE_LIMITS } from "./checks/prose.ts";
import { listFiles, readFiles } from "./checks/repository.ts";
import { root, runTool, type ToolResult } from "./checks/runTool.ts";
import { checkSamples } from "./checks/samples/checkSamples.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { ABI_FOLDER, generateAbiFiles, isGenerated, writeAbiFiles } from "./generate/abi.ts";
import { checkClaims } from "./generate/claims.ts";
import { renderDocsRoot } from "./generate/docsRoot.ts";
import { renderLlms } from "./generate/llms.ts";
import { generateOpenApi } from "./generate/openapi.ts";
import { generateProtocolNames } from "./generate/protocolNames.ts";
import { checkSpecification } from "./generate/specification.ts";
import { GROUPS } from "./site/sidebar.ts";

type Result = Pick<ToolResult, "ok" | "output">;
type Check = { name: string; rule: string; run: (fix: boolean) => Promise<Result> };

/** Text files to search for secrets. */
const TEXT = ".ts .mjs .js .json .sol .md .yml .yaml .html .css .sh rc run".split(" ");

const judge = (problems: readonly Problem[]): Result => ({
  ok: problems.length === 0,
  output: problems.map(formatProblem).join("\n"),
});

async function checkProtocolNames(): Promise<Result> {
  const expected = await generateProtocolNames();
  return judge(
    checkGenerated(
      [expected],
      readFiles(".sol").filter(({ path }) => path === expected.path),
    ),
  );
}

async function checkOpenApi(fix: boolean): Promise<Result> {
  const expected = generateOpenApi();
  if (fix) writeFileSync(join(root, expected.path), expected.text);
  return judge(
    checkGenerated(
      [expected],
      readFiles(".json").filter(({ path }) => path === expected.path),
    ),
  );
}

async function checkAbiFiles(fix: boolean): Promise<Result> {
  const expected = await generateAbiFiles();
  if (fix) writeAbiFiles(expected);
  const wanted = new Set(expected.map(({ path }) => path));
  const committed = readFiles(".ts").filter(
    (file) => file.path.startsWith(`${ABI_FOLDER}/`) && (wanted.has(file.path) || isGenerated(file)),
  );
  const single = [...renderDocsRoot(), renderLlms()];
  const paths = single.map(({ path }) => path);
  return judge([
    ...checkGenerated(expected, committed),
    ...checkGenerated(
      single,
      readFiles(".ts", ".txt", ".md").filter(({ path }) => paths.includes(path)),
    ),
  ]);
}

function checkLicences(fix: boolean): Result {
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { page, problems } = reportLicences(lockfile, readPackages());
  if (fix) writeFileSync(join(root, page.path), page.text);
  const committed = readFiles(".md").filter(({ path }) => path === page.path);
  return judge([...problems, ...checkGenerated([page], committed, "npm run check -- --fix --only licences")]);
}

function checkPackageLocks(fix: boolean): Result {
  const files = listFiles().filter((path) => /(?:^|\/)package-lock\.json$/.test(path));
  return judge(
    files.flatMap((file) => {
      const path = join(root, file);
      const lockfile: Lockfile = JSON.parse(readFileSync(path, "utf8"));
      const fixed = fix ? completeLockfile(lockfile) : lockfile;
      if (fix) writeFileSync(path, `${JSON.stringify(fixed, null, 2)}\n`);
      return checkLockfile(fixed, file);
    }),
  );
}

function checkMarkdown(): Result {
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const pages = readFiles(".md");
  const tests = readFiles(".ts", ".sol").filter(({ path }) => /^(?:test|campaigns)\//.test(path));
  return judge([
    ...checkDocs({ pages, files: listFiles(), scripts: Object.keys(manifest.scripts) }),
    ...checkSidebar(pages, Object.keys(GROUPS)),
    ...checkCopiedBlocks(pages, readFiles(".sol", ".ts", ".tsx")),
    ...checkNamedTests(pages, tests),
  ]);
}

function checkPages(fix: boolean): Result {
  const limits = join(root, PROSE_LIMITS);
  const { lowered, problems } = checkProse(readFiles(".md"), JSON.parse(readFileSync(limits, "utf8")));
  if (fix) writeFileSync(limits, `${JSON.stringify(lowered, null, 2)}\n`);
  return judge(problems);
}

const CHECKS: readonly Check[] = [
  {
    name: "format",
    rule: "TypeScript and JSON as Biome formats and lints them",
    run: (fix) =>
      runTool(join("@biomejs", "biome", "bin", "biome"), [
        "check",
        "--error-on-warnings",
        "--diagnostic-level=warn",
        "--max-diagnostics=100",
        ...(fix ? ["--write"] : []),
      ]),
  },
  {
    name: "prettier",
    rule: "Solidity as Prettier formats it",
    run: (fix) => runTool(join("prettier", "bin", "prettier.cjs"), [fix ? "--write" : "--check", "."]),
  },
  {
    name: "solhint",
    rule: "Solidity lint",
    run: () => {
      const flags = ["--disc", "--noPoster", "--noPrompt", "--formatter", "unix", "--max-warnings", "0"];
      return runTool(join("solhint", "solhint.js"), [
        ...flags,
        "{contracts,test/{proofs,solidity}}/**/*.sol",
      ]);
    },
  },
  {
    name: "types",
    rule: "TypeScript types",
    run: () => runTool(join("typescript", "bin", "tsc"), ["--pretty", "false"]),
  },
  {
    name: "imports",
    rule: "who may import whom",
    run: async () =>
      judge([
        ...checkTypescriptImports([...readFiles(".ts"), ...readFiles(".tsx")]),
        ...checkSolidityImports(readFiles(".sol")),
      ]),
  },
  {
    name: "unused",
    rule: "no file, export or type that nothing uses",
    run: () => runTool(join("knip", "bin", "knip.js"), ["--no-progress"]),
  },
  { name: "generated", rule: "generated files are fresh", run: checkAbiFiles },
  {
    name: "openapi",
    rule: "the API's document is fresh; each property has a sentence, each operation examples",
    run: checkOpenApi,
  },
  { name: "names", rule: "the protocol's names are those of the stored answer", run: checkProtocolNames },
  {
    name: "exports",
    rule: "the built packages keep their promises, and export what api/ reports",
    run: async (fix) => judge(await checkPackageExports(fix)),
  },
  {
    name: "documented",
    rule: "a sentence for every export, and an example for every function and class",
    run: async () => judge(checkDocumented(readEntryPoints())),
  },
  {
    name: "samples",
    rule: "code blocks of the documents and examples of the exports compile",
    run: checkSamples,
  },
  {
    name: "docs",
    rule: "links, anchors, commands, tests and copied lines in Markdown; every page is in the sidebar",
    run: async () => checkMarkdown(),
  },
  {
    name: "markdown",
    rule: "Markdown as markdownlint wants it",
    run: () => runTool(join("markdownlint-cli2", "markdownlint-cli2-bin.mjs"), []),
  },
  {
    name: "prose",
    rule: "no page gets more long sentences or banned words",
    run: async (fix) => checkPages(fix),
  },
  {
    name: "spelling",
    rule: "words of Markdown that a dictionary or cspell.json has",
    run: () => runTool(join("cspell", "bin.mjs"), ["lint", "--no-progress", "--no-summary"]),
  },
  {
    name: "specification",
    rule: "every built statement of the specification has its tests",
    run: async (fix) => judge(checkSpecification(fix)),
  },
  {
    name: "claims",
    rule: "every claim of a guide has its tests",
    run: async (fix) => judge(checkClaims(fix)),
  },
  {
    name: "secrets",
    rule: "no keys, credentials or home folders",
    run: async () => judge(checkSecrets(readFiles(...TEXT))),
  },
  {
    name: "size",
    rule: "no file over 400 lines",
    run: async () => judge(checkFileSizes(readFiles(".ts", ".mjs", ".sol"))),
  },
  {
    name: "lockfile",
    rule: "the lockfiles serve every platform",
    run: async (fix) => checkPackageLocks(fix),
  },
  {
    name: "licences",
    rule: "the list of licences is fresh, and each is permissive",
    run: async (fix) => checkLicences(fix),
  },
];

async function runCheck({ name, rule, run }: Check, fix: boolean): Promise<Result & { name: string }> {
  const start = performance.now();
  const result = await run(fix).catch((error: unknown) => ({ ok: false, output: String(error) }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `${result.ok ? "ok  " : "FAIL"}  ${name.padEnd(13)} ${seconds.padStart(5)} s  ${rule}\n`,
  );
  return { ...result, name };
}

const { values } = parseArgs({
  options: { fix: { type: "boolean", default: false }, only: { type: "string" } },
});
const wanted = values.only?.split(",") ?? CHECKS.map(({ name }) => name);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No such check: ${unknown.join(", ")}. There are ${CHECKS.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

const failures: { name: string; output: string }[] = [];
for (const check of CHECKS.filter(({ name }) => wanted.includes(name))) {
  const result = await runCheck(check, values.fix);
  if (!result.ok) failures.push(result);
}
for (const { name, output } of failures) process.stdout.write(`\n── ${name}\n${output.trimEnd()}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
