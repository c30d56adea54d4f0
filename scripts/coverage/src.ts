/**
 * Measures the coverage of `src/` by the library's tests: `npm run coverage:src`.
 *
 * Fails below the limits. Excludes files with only types, and the generated ABIs.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";

const LINES = 95;
const BRANCHES = 90;

/** Tests of the library: of each folder, and those that need a whole service. */
const TESTS = [
  "test/unit/{calls,client,entryPoints,errors,execute,guard,internal,perps,prove,records,schema,svm,track,webhooks}/**/*.test.ts",
  "test/integration/command/deployCommands.test.ts",
  "test/integration/execute/{batches,crashes,explainFailure,payOnce,replacedTransactions,savedStates,signing,simulateCalls,stream}.test.ts",
  "test/integration/guard/{exchange,officialClient,otherLibraries}.test.ts",
  "test/integration/perps/verifyWithdrawal.test.ts",
  "test/integration/verifyQuote/{alteredQuotes,paymentForms,verifyQuote}.test.ts",
];
/** Sizes of bundles measure no code that runs. Invalid arguments reach no more than the tests of their functions. */
const LEFT_OUT = "test/unit/**/{invalidArguments,size}.test.ts";

const hasCode = (path: string): boolean => {
  const code = stripTypeScriptTypes(readFileSync(join(root, path), "utf8"));
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").trim() !== "";
};

const measured = globSync("src/**/*.ts", { cwd: root }).filter(
  (path) => !path.replaceAll("\\", "/").startsWith("src/abi/") && hasCode(path),
);

const tests = TESTS.flatMap((pattern) => {
  const found = globSync(pattern, { cwd: root, exclude: [LEFT_OUT] });
  if (found.length === 0) throw new Error(`No test matches ${pattern}.`);
  return found;
});

const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules", "c8", "bin", "c8.js"),
    ...["--all", "--check-coverage", "--lines", String(LINES), "--branches", String(BRANCHES)],
    ...["--functions", "0", "--statements", "0", "--reporter", "text", "--skip-full"],
    ...["--reports-dir", "coverage/src", "--temp-directory", "coverage/src/tmp"],
    ...measured.flatMap((path) => ["--include", path]),
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    join(root, "node_modules", "mocha", "bin", "mocha.js"),
    ...["--exit", "--forbid-only", "--forbid-pending", "--reporter", "dot", "--timeout", "120000"],
    ...tests,
  ],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
