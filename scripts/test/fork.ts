/**
 * `npm run test:fork`: the tests below `test/fork`, over the bytecode of real protocols.
 *
 * The protocols' packages are installed from a lockfile of their own when they are missing or stale: 160 MB that nothing else
 * needs. Most are under the GPL, and none is shipped.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";

const folder = join(root, "test", "fork", "protocols");
const lockfile = join(folder, "package-lock.json");
/** A copy of the lockfile that was installed from. */
const stamp = join(folder, "node_modules", ".installed-lock.json");

function run(command: string, parameters: readonly string[], cwd = root): void {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(stamp) || !readFileSync(stamp).equals(readFileSync(lockfile))) {
  // The peers are development tools of the protocols.
  run("npm", ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"], folder);
  copyFileSync(lockfile, stamp);
}
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const flags = ["--exit", "--timeout", "60000", "--forbid-only", "--forbid-pending"];
const named = process.argv.slice(2);
const files = named.length === 0 ? ["test/fork/*.test.ts"] : named;
run(process.execPath, ["--disable-warning=ExperimentalWarning", mocha, ...flags, ...files]);
