/**
 * `npm run audit:mutation`: whether the Solidity tests notice small faults in the deployable contracts.
 *
 * Draws mutants by a seed, or takes all, and runs the test files that import the mutated file until a test fails. Fails on a
 * survivor without a row in `survivors.json`, and on a row whose mutant was killed or is gone. Writes nothing into the tree.
 *
 * `-- [--all | --count 20] [--seed 1] [--jobs 1] [--json] [--figures] [files or folders…]`. `--figures` writes the
 * figures into `docs/reference/assurance.md`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readFiles } from "../checks/repository.ts";
import { findMutants, type Mutant } from "./findMutants.ts";
import { findReachingTests } from "./findReachingTests.ts";
import { TestRunner } from "./TestRunner.ts";
import { report } from "./tools.ts";

/** The table of protocol names is generated, and a check compares it with its source. */
const MUTATED = /^contracts\/(?:guard|libraries|proxy|receiver|records)\/(?!ProtocolNames\.sol)/;

type Result = {
  readonly outcome: "killed" | "survived" | "not compiled";
  readonly key: string;
  readonly line: number;
  /** The test that failed, or the compiler's message. */
  readonly by: string;
  readonly seconds: number;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    figures: { type: "boolean", default: false },
    count: { type: "string", default: "20" },
    jobs: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const say = (line: string) => (values.json ? process.stderr : process.stdout).write(`${line}\n`);
const solidity = readFiles(".sol");
const mutants = solidity.filter(({ path }) => MUTATED.test(path)).flatMap(findMutants);

/** The drawn mutants. A hash of seed and key orders them, so that an edit of one contract leaves the others' draw as it is. */
function draw(): Mutant[] {
  const isNamed = ({ file }: Mutant) => positionals.some((path) => `${file}/`.startsWith(join(path, "/")));
  const chosen = positionals.length === 0 ? mutants : mutants.filter(isNamed);
  if (values.all) return chosen;
  const rank = ({ key }: Mutant) => createHash("sha256").update(`${values.seed} ${key}`).digest("hex");
  return chosen.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, Number(values.count));
}

async function judge(mutant: Mutant, runner: TestRunner): Promise<Pick<Result, "outcome" | "by">> {
  for (const test of findReachingTests(mutant.file, solidity)) {
    const answer = await runner.run({ test, mutated: mutant });
    if (answer.outcome === "not compiled") return answer;
    if (answer.outcome === "failed") {
      await runner.requirePassing(test);
      return { outcome: "killed", by: answer.by };
    }
  }
  return { outcome: "survived", by: "every test passes" };
}

const runners = Array.from({ length: Number(values.jobs) }, () => new TestRunner());
process.once("exit", () => {
  for (const runner of runners) runner.stop();
});
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const drawn = draw();
const results: Result[] = [];
const waiting = drawn.values();
const secondsSince = (start: number) => Math.round((performance.now() - start) / 1_000);
const start = performance.now();
await Promise.all(
  runners.map(async (runner) => {
    for (const mutant of waiting) {
      const began = performance.now();
      const { outcome, by } = await judge(mutant, runner);
      const { file, key, line } = mutant;
      results.push({ outcome, key, line, by, seconds: secondsSince(began) });
      const change = key.slice(file.length + 1);
      say(`${outcome.padEnd(12)} ${file}:${line} ${change} (${by}, ${secondsSince(began)} s)`);
    }
  }),
);

const reasons: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "survivors.json"), "utf8"),
);
const keysOf = (outcome: Result["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ key }) => key);
const [killed, survived] = [keysOf("killed"), keysOf("survived")];
const unexplained = survived.filter((key) => !(key in reasons));
const known = new Set(mutants.map(({ key }) => key));
const stale = Object.keys(reasons).filter((key) => !known.has(key) || killed.includes(key));

if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
say(`\n${drawn.length} of ${mutants.length} mutants with seed ${values.seed} in ${secondsSince(start)} s:`);
say(`${killed.length} killed, ${survived.length} survived (${unexplained.length} of them without a reason),`);
say(`${keysOf("not compiled").length} did not compile.`);
const problems = [
  ...unexplained.map((key) => `survives without a reason in survivors.json: ${key}`),
  ...stale.map((key) => `has a reason in survivors.json, but was killed or is no mutant: ${key}`),
  ...(drawn.length > 0 ? [] : ["no mutant was drawn"]),
];
for (const problem of problems) say(`\n${problem}`);
if (values.figures) {
  const figures = `${drawn.length} of ${mutants.length} mutants, drawn by seed ${values.seed}: ${killed.length} killed, ${survived.length} justified,`;
  report({
    figures: { lines: [figures, `${keysOf("not compiled").length} that do not compile.`], name: "mutants" },
    problems,
  });
}
process.exit(problems.length === 0 ? 0 : 1);
