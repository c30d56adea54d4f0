/** The collector of a run, and its result file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";
import { BranchCollector } from "./BranchCollector.ts";
import { findBranches } from "./findBranches.ts";
import { findTests } from "./findTests.ts";
import { COVERED, TESTS } from "./instrumentBranches.ts";

/** Result file of a run, by the name of its runner. */
export function sidesFile(runner: string): string {
  return join(root, "coverage", `branches-${runner}.json`);
}

let collector: BranchCollector | undefined;

export function startCollecting(): BranchCollector {
  const sources = readFiles(".sol");
  const branches = findBranches(sources.filter(({ path }) => COVERED.test(path)));
  const tests = sources.filter(({ path }) => TESTS.test(path)).flatMap(findTests);
  collector = new BranchCollector(
    branches,
    tests.map(({ name }) => name),
  );
  return collector;
}

/** The collector of this run; undefined without `--coverage`. */
export function currentCollector(): BranchCollector | undefined {
  return collector;
}

export function saveCollected(runner: string): void {
  if (collector === undefined) return;
  mkdirSync(join(root, "coverage"), { recursive: true });
  writeFileSync(sidesFile(runner), JSON.stringify(collector.collected()));
}
