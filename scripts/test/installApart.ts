import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";

/** Runs a command to its end. A failure ends this process with the same code. */
export function run(command: string, parameters: readonly string[], cwd = root): void {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a tool of `node_modules` under this Node. */
export function runScript(script: string, parameters: readonly string[]): void {
  const path = join(root, "node_modules", script);
  run(process.execPath, ["--disable-warning=ExperimentalWarning", path, ...parameters]);
}

/** Runs test files as every lane runs them. */
export function runMocha(files: readonly string[]): void {
  const flags = ["--exit", "--timeout", "60000", "--forbid-only", "--forbid-pending"];
  runScript(join("mocha", "bin", "mocha.js"), [...flags, ...files]);
}

/** Installs the package of a folder of tests from its lockfile, if that is missing or stale. None of its packages runs a script. */
export function installApart(folder: string, ...flags: readonly string[]): void {
  const lockfile = join(folder, "package-lock.json");
  // A copy of the lockfile that was installed from.
  const stamp = join(folder, "node_modules", ".installed-lock.json");
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lockfile))) return;
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...flags], folder);
  copyFileSync(lockfile, stamp);
}
