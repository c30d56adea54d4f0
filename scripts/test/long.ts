/**
 * `npm run test:long`: the Solidity tests with 1,000 runs a property, and the campaigns, two lanes at a time.
 *
 * `npm run test:long -- kills memory` runs these campaigns alone.
 */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../checks/runTool.ts";
import { type Lane, runLanes } from "./runLanes.ts";

/** Campaigns that assert times or memory, or whose payers lose patience. They run alone, after the others. */
const ALONE: readonly string[] = ["brokenRpc", "kills", "memory", "replicaKills"];

function lane(name: string, script: readonly string[], ...parameters: readonly string[]): Lane {
  const file = join(root, "node_modules", ...script);
  return { name, command: [process.execPath, "--disable-warning=ExperimentalWarning", file, ...parameters] };
}

const named = process.argv.slice(2);
const campaigns = globSync("campaigns/*.test.ts", { cwd: root })
  .map((file) => basename(file, ".test.ts"))
  .filter((name) => named.length === 0 || named.includes(name))
  .sort();
const unknown = named.filter((name) => !campaigns.includes(name));
if (unknown.length > 0) throw new Error(`no campaign ${unknown.join(", ")}`);

const flags = ["--exit", "--timeout", "60000", "--forbid-only", "--forbid-pending"];
const toLane = (name: string) =>
  lane(name, ["mocha", "bin", "mocha.js"], ...flags, `campaigns/${name}.test.ts`);
const hardhat = ["hardhat", "dist", "src", "cli.js"];
const task = ["test", "solidity", "--no-compile", "--test-profile", "deep"];
const deep = lane("Solidity tests", hardhat, "--build-profile", "quick", ...task);
const together = campaigns.filter((name) => !ALONE.includes(name)).map(toLane);
const alone = campaigns.filter((name) => ALONE.includes(name)).map(toLane);

const codes = [await runLanes(named.length === 0 ? [deep, ...together] : together, 2)];
// An interrupt ends the run, a failed test does not.
if (codes.every((code) => code <= 1)) codes.push(await runLanes(alone, 1));
process.exitCode = Math.max(...codes);
