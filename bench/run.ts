/** `npm run bench [-- name …] [--json]`: runs all or the named benchmarks; prints tables or JSON. */
import { parseArgs } from "node:util";
import { benchEmulator } from "./emulator.ts";
import { benchGasBreakdown } from "./gas/benchGasBreakdown.ts";
import { benchGas } from "./gas.ts";
import { type Benchmark, printReports, type Report } from "./Report.ts";
import { benchRequests } from "./requests.ts";

const benchmarks: Readonly<Record<string, Benchmark>> = { emulator: benchEmulator, gas: benchGas };
/** Benchmarks with long tables, which run only by name. */
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
