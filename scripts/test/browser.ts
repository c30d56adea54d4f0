/**
 * `npm run test:browser`: the tests below `test/browser`, in a Chromium that is installed on this machine.
 *
 * Each folder there is a package of its own, so that what only a page needs stays out of this one. Its dependencies are
 * installed from its lockfile when they are missing or stale; then its types are checked and its tests run.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";
import { findChromium } from "./findChromium.ts";

const folder = join(root, "test", "browser", "widget");
const lockfile = join(folder, "package-lock.json");
/** A copy of the lockfile that was installed from. */
const stamp = join(folder, "node_modules", ".installed-lock.json");

function run(command: string, parameters: readonly string[], cwd = root): void {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

const runNode = (script: readonly string[], parameters: readonly string[]) =>
  run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    join(root, "node_modules", ...script),
    ...parameters,
  ]);

try {
  console.log(`Chromium: ${findChromium()}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const isInstalled = existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lockfile));
if (!isInstalled) {
  // No package of the page needs a script of its own to be installed.
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  copyFileSync(lockfile, stamp);
}
// The example's page is tested with the same dependencies.
cpSync(join(root, "examples", "widget", "page.tsx"), join(folder, ".example", "page.tsx"));
runNode(["typescript", "bin", "tsc"], ["--project", folder]);
runNode(
  ["mocha", "bin", "mocha.js"],
  ["--exit", "--timeout", "60000", "--forbid-only", "--forbid-pending", "test/browser/*/*.test.ts"],
);
