import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const NEEDS_PYTHON =
  "needs Python 3.11 or newer with venv: `apt-get install python3-venv`, or https://www.python.org\n";

/**
 * Installs Python packages into a virtual environment below `node_modules`, if it is missing or unfinished.
 *
 * @param requirements Packages with their versions, as `pip install --requirement` reads them.
 * @returns The folder of their programs.
 */
export function installPython(requirements: string, ...flags: readonly string[]): string {
  const name = createHash("sha256").update(requirements).digest("hex").slice(0, 16);
  const environment = join(root, "node_modules", ".cache", `python-${name}`);
  const programs = join(environment, "bin");
  const stamp = join(environment, "complete");
  if (existsSync(stamp)) return programs;
  if (spawnSync("python3", ["-m", "ensurepip", "--version"]).status !== 0) {
    process.stderr.write(NEEDS_PYTHON);
    process.exit(1);
  }
  rmSync(environment, { force: true, recursive: true });
  run("python3", ["-m", "venv", environment]);
  const file = join(environment, "requirements.txt");
  writeFileSync(file, requirements);
  run(join(programs, "python"), ["-m", "pip", "install", "--quiet", ...flags, "--requirement", file]);
  writeFileSync(stamp, "");
  return programs;
}
