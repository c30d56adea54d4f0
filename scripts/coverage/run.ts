/**
 * `npm run coverage`: the lines and statements of the deployable contracts that the tests reach, as Hardhat measures them.
 *
 * Fails when a file is not covered whole. The Solidity tests reach most; `TYPESCRIPT_TESTS` reach the rest.
 */
import { spawn } from "node:child_process";
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "../checks/runTool.ts";

const MEASURED = /^contracts\/(?:guard|libraries|proxy|receiver|records)\//;

const TYPESCRIPT_TESTS: readonly string[] = ["test/contracts/{proxy,receiver,records}/**/*.test.ts"];
/** Titles of tests that count calls or gas: reports of coverage are calls, and cost gas. */
const LEFT_OUT =
  "WithTheGasOfATransfer|gas inline for the published order|calls no contract but|does not copy the return data";

/** A row of Hardhat's table: a file, its lines and statements in percent, and the lines that no test reached. */
const ROW = /^║\s*(\S+\.sol)\s*│\s*([\d.]+)\s*│\s*([\d.]+)\s*│\s*(.*?)\s*║$/gm;

const hardhat = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
const flags = ["--coverage", "--no-typechain", "--test-profile", "coverage", "--grep-exclude", LEFT_OUT];
const tests = ["test/solidity/**/*.t.sol", ...TYPESCRIPT_TESTS].flatMap((pattern) => {
  const found = globSync(pattern, { cwd: root }).sort();
  if (found.length === 0) throw new Error(`no test matches ${pattern}`);
  return found;
});

for (const old of ["data", "html", "lcov.info"]) {
  rmSync(join(root, "coverage", old), { force: true, recursive: true });
}
const start = performance.now();
const child = spawn(
  process.execPath,
  ["--disable-warning=ExperimentalWarning", hardhat, "test", ...flags, ...tests],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
let output = "";
child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
  output += chunk;
});
const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
if (code !== 0) {
  process.stdout.write(output);
  throw new Error(`the tests failed under coverage, with exit code ${code}`);
}

const files = [...stripVTControlCharacters(output).matchAll(ROW)].filter(([, file = ""]) =>
  MEASURED.test(file),
);
const incomplete = files.filter(([, , lines, statements]) => lines !== "100.00" || statements !== "100.00");
for (const [, file = "", lines, statements, missing] of incomplete) {
  console.log(`${file.padEnd(58)} lines ${lines} %, statements ${statements} %, not reached: ${missing}`);
}
console.log(`${files.length - incomplete.length} of ${files.length} contracts are covered whole`);
console.log(`in ${Math.round((performance.now() - start) / 1_000)} s`);
process.exitCode = files.length > 0 && incomplete.length === 0 ? 0 : 1;
