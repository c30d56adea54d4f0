/**
 * `npm run bench [-- name …] [--json]`: every benchmark, or the ones that are named; as tables, or as JSON.
 */
import { parseArgs } from "node:util";
import { benchEmulator } from "./emulator.ts";
import { benchGasBreakdown } from "./gas/benchGasBreakdown.ts";
import { benchGas } from "./gas.ts";
import { type Benchmark, printReports, type Report } from "./Report.ts";
import { benchRequests } from "./requests.ts";

const benchmarks: Readonly<Record<string, Benchmark>> = { emulator: benchEmulator, gas: benchGas };
/** Long tables, for those who ask. */
const onlyNamed: Readonly<Record<string, Benchmark>> = {
  breakdown: benchGasBreakdown,
  requests: benchRequests,
};
const known = { ...benchmarks, ...onlyNamed };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { default: false, type: "boolean" } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(known, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are ${Object.keys(known).join(", ")}.`);
  process.exit(1);
}
const reports: Record<string, Report> = {};
for (const [name, bench] of Object.entries(positionals.length === 0 ? benchmarks : known)) {
  if (positionals.length === 0 || positionals.includes(name)) reports[name] = await bench();
}
printReports(reports, values.json);
