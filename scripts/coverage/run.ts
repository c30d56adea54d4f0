/**
 * Measures the coverage of the deployable contracts: `npm run coverage`.
 *
 * Fails when a line, a statement, a function or a side of a branch of `contracts/{records,receiver,proxy,libraries}` is
 * reached by no test, or when `docs/branches.md` names a test that does not take the side it is named for. `--fix` rewrites
 * that page's tables; `--reuse` reads the results of the last run.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { declaredTitles } from "../checks/namedTests.ts";
import { formatProblem } from "../checks/Problem.ts";
import { listFiles, readFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";
import type { CollectedSides } from "./BranchCollector.ts";
import {
  BRANCH_PAGE,
  cellFor,
  isNever,
  readBranchRows,
  renderBranchTables,
  rowsByKey,
} from "./branchTable.ts";
import { sidesFile } from "./collecting.ts";
import { findBranches } from "./findBranches.ts";
import { readLcov, readStatements } from "./hardhatReport.ts";
import { COVERED } from "./instrumentBranches.ts";
import { checkMeasured, proposedCell } from "./measuredTests.ts";
import { isComplete, mergeCollected, renderSummary, summarise } from "./summary.ts";

/** Tests of the stand-ins, and of the deployed bytecode, which coverage changes. */
const LEFT_OUT: readonly RegExp[] = [
  /^test\/contracts\/service\//,
  /^test\/contracts\/(?:evidence|gas)\.test\.ts$/,
];
/** As above, by title: reports are calls, and cost gas. */
const LEFT_OUT_TITLES = [
  "gas inline for the published order",
  "calls no contract but",
  "does not copy the return data",
] as const;

/** Hardhat's test runners. */
const RUNNERS = ["mocha", "solidity"] as const;

const folder = join(root, "coverage");
const log = join(folder, "run.log");

function chosenTests(): string[] {
  return listFiles()
    .filter((path) => /^test\/contracts\/.+\.test\.ts$|^test\/solidity\/.+\.t\.sol$/.test(path))
    .filter((path) => !LEFT_OUT.some((pattern) => pattern.test(path)));
}

/** Refuses a title without a test: the renamed test would run under coverage and fail after minutes. */
function assertTitlesExist(): void {
  const texts = chosenTests().map((path) => readFileSync(join(root, path), "utf8"));
  const gone = LEFT_OUT_TITLES.filter((title) => !texts.some((text) => text.includes(title)));
  if (gone.length > 0) throw new Error(`No test is titled "${gone.join('" or "')}": see LEFT_OUT_TITLES.`);
}

async function runTests(): Promise<boolean> {
  assertTitlesExist();
  // Keeps the build, whose staleness Hardhat detects.
  for (const old of ["data", "html", "lcov.info", ...RUNNERS.map((runner) => `branches-${runner}.json`)]) {
    rmSync(join(folder, old), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(root, "node_modules", "hardhat", "dist", "src", "cli.js"),
      "test",
      "--coverage",
      "--no-typechain",
      "--test-profile",
      "coverage",
      "--grep-exclude",
      LEFT_OUT_TITLES.join("|"),
      ...chosenTests(),
    ],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  writeFileSync(log, output);
  if (code !== 0) process.stdout.write(`${output}\nThe tests failed under coverage: exit code ${code}.\n`);
  return code === 0;
}

function readCollected(): CollectedSides {
  const files = RUNNERS.map(sidesFile).filter((path) => existsSync(path));
  return mergeCollected(files.map((path): CollectedSides => JSON.parse(readFileSync(path, "utf8"))));
}

function report(isFixing: boolean): boolean {
  const sources = readFiles(".sol").filter(({ path }) => COVERED.test(path));
  const branches = findBranches(sources);
  const collected = readCollected();
  const page = readFileSync(join(root, BRANCH_PAGE), "utf8");
  const old = rowsByKey(readBranchRows({ path: BRANCH_PAGE, text: page }));
  if (isFixing) {
    const declared = declaredTitles(readFiles(".ts").filter(({ path }) => path.startsWith("test/")));
    const tables = renderBranchTables(branches, (branch, side) =>
      proposedCell(branch, side, old, collected, declared),
    );
    const [introduction = ""] = page.split(/^## /m);
    writeFileSync(join(root, BRANCH_PAGE), `${introduction.trimEnd()}\n\n${tables}`);
  }
  const text = readFileSync(join(root, BRANCH_PAGE), "utf8");
  const rows = rowsByKey(readBranchRows({ path: BRANCH_PAGE, text }));
  const measured = {
    lines: readLcov(readFileSync(join(folder, "lcov.info"), "utf8")),
    statements: readStatements(stripVTControlCharacters(readFileSync(log, "utf8"))),
    collected,
  };
  const files = sources
    .map((file) =>
      summarise(file, branches, measured, (branch, side) => isNever(cellFor(rows, branch, side))),
    )
    .filter((file) => file !== undefined);
  process.stdout.write(`${renderSummary(files)}\n`);

  const incomplete = files.filter((file) => !isComplete(file));
  for (const { file, missing } of incomplete) process.stdout.write(`\n${file}\n  ${missing.join("\n  ")}\n`);
  const problems = checkMeasured(branches, rows, collected);
  if (problems.length > 0) process.stdout.write(`\n${problems.map(formatProblem).join("\n")}\n`);
  return incomplete.length === 0 && problems.length === 0;
}

const { values } = parseArgs({
  options: { fix: { type: "boolean", default: false }, reuse: { type: "boolean", default: false } },
});
const start = performance.now();
const passed = values.reuse || (await runTests());
const complete = passed && report(values.fix);
process.stdout.write(
  `\n${complete ? "Complete" : "NOT complete"}, in ${Math.round((performance.now() - start) / 1000)} s\n`,
);
process.exitCode = complete ? 0 : 1;
