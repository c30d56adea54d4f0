/**
 * `npm run test:examples`: the projects below `examples`, and the one that `waybill init` creates, as an integrator has them.
 *
 * Packs the packages, copies the examples out of the repository, installs all from one lockfile, and runs `npm test` of each,
 * two at a time. Installs the created project by npm, pnpm and Yarn, two examples on the lowest versions of Node and peers, and the emulator as the
 * Dockerfile does. `--only a,b` selects examples; `--lock` writes the lockfile anew; `--keep` keeps the folder.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installExamples, listExamples, lockExamples } from "./examples/installExamples.ts";
import { type Places, packManifests, packPackages } from "./examples/packPackages.ts";
import { type Run, runExample } from "./examples/runExample.ts";
import { PROJECT_EXAMPLES, PROJECTS, runProject } from "./examples/runProject.ts";

const PARALLEL = Math.min(2, availableParallelism());
const say = (line: string) => process.stdout.write(`${line}\n`);
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** Names of the examples to run. @throws Error for an unknown name. */
function selectExamples(only: string | undefined): string[] {
  const all = [...PROJECTS, ...listExamples()];
  if (only === undefined) return all;
  const names = only.split(",");
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`no example ${unknown.join(", ")}; there are ${all.join(", ")}`);
  return names;
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  say(`${what} in ${secondsSince(start)}`);
  return result;
}

/** Runs the examples, some at a time. @returns The failed ones. */
async function runAll(places: Places, names: readonly string[]): Promise<Run[]> {
  const waiting = [...names];
  const failed: Run[] = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const start = performance.now();
      const run = await (PROJECTS.includes(name)
        ? runProject(places, name)
        : runExample(places.examples, name));
      say(`${run.failure === undefined ? "ok    " : "FAILED"} ${name.padEnd(26)} ${secondsSince(start)}`);
      if (run.failure !== undefined) failed.push(run);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return failed;
}

const { values } = parseArgs({
  options: { keep: { type: "boolean" }, lock: { type: "boolean" }, only: { type: "string" } },
});
const start = performance.now();
const names = selectExamples(values.only);
// Outside the repository, whose packages would hide missing dependencies.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-examples-")));
const examples = join(folder, "examples");
mkdirSync(examples);
// An exit kills what the examples have started, and removes the folder.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => {
  if (values.keep) say(`kept ${folder}`);
  else rmSync(folder, { force: true, maxRetries: 5, recursive: true });
});

if (values.lock) {
  await timed("locked the dependencies", async () => lockExamples(examples, await packManifests(examples)));
} else {
  const packed = await timed("packed the packages", () => packPackages(examples));
  const installed = new Set(names.flatMap((name) => (PROJECTS.includes(name) ? PROJECT_EXAMPLES : name)));
  await timed("installed the examples", () => installExamples(examples, packed, [...installed]));
  const failed = await runAll({ apart: folder, examples, packed }, names);
  for (const { failure, name, output } of failed) say(`\n=== ${name}: ${failure}\n${output}`);
  say(`${names.length - failed.length} of ${names.length} examples passed in ${secondsSince(start)}`);
  if (failed.length > 0) process.exitCode = 1;
}
