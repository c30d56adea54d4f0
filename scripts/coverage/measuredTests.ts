/** Compares the branch page with the measured tests, and proposes tests for its gaps. */
import { isTitleOf, quotableTitle } from "../checks/namedTests.ts";
import type { Problem } from "../checks/Problem.ts";
import { type CollectedSides, NO_TEST, sideName, type Taken } from "./BranchCollector.ts";
import { BRANCH_PAGE, type BranchRow, cellFor, isNever, testsNamedIn } from "./branchTable.ts";
import { type Branch, branchKey } from "./findBranches.ts";

/** Titles that the page can quote: long enough, and without Markdown table syntax. */
const QUOTABLE = /^[^"|`]{12,}$/;

/** Finds cells that differ from the measurement. */
export function checkMeasured(
  branches: readonly Branch[],
  rows: ReadonlyMap<string, BranchRow>,
  collected: CollectedSides,
): Problem[] {
  return branches.flatMap((branch) =>
    branch.sides.flatMap((side): Problem[] => {
      const line = rows.get(branchKey(branch))?.line;
      const taken = collected.sides[sideName(branch, side)];
      const cell = cellFor(rows, branch, side);
      const problem = (words: string) => ({
        file: BRANCH_PAGE,
        line,
        message: `${words} "${branchKey(branch)}" is ${side}`,
      });
      if (isNever(cell)) return taken === undefined ? [] : [problem("says it cannot be, but in a test")];
      const named = testsNamedIn(cell);
      if (named.length === 0) return [problem("names no test in which")];
      return named
        .filter((name) => !isTakenBy(taken, name))
        .map((name) => problem(`names "${name}", in which it is not so that`));
    }),
  );
}

function isTakenBy(taken: Taken | undefined, named: string): boolean {
  return Object.keys(taken ?? {}).some((test) => test !== NO_TEST && isTitleOf(test, named));
}

/**
 * Chooses the cell of a side: the current one if measured, else the most specific test.
 *
 * @param declared The titles of the TypeScript tests as their sources have them.
 */
export function proposedCell(
  branch: Branch,
  side: string,
  rows: ReadonlyMap<string, BranchRow>,
  collected: CollectedSides,
  declared: readonly string[] = [],
): string {
  const taken = collected.sides[sideName(branch, side)];
  const cell = cellFor(rows, branch, side);
  const named = testsNamedIn(cell);
  if (isNever(cell) && taken === undefined) return cell;
  if (named.length > 0 && named.every((name) => isTakenBy(taken, name))) return cell;
  const [best] = Object.keys(taken ?? {})
    .filter((test) => test !== NO_TEST && (isIdentifier(test) || QUOTABLE.test(test)))
    .sort(
      (one, other) =>
        dearth(one, taken, collected) - dearth(other, taken, collected) || (one < other ? -1 : 1),
    );
  if (best === undefined) return "";
  return isIdentifier(best) ? `\`${best}\`` : `"${quotableTitle(best, declared)}"`;
}

function isIdentifier(test: string): boolean {
  return /^test\w*$/.test(test);
}

/** Score; low for tests that take the side in every run and few others. */
function dearth(test: string, taken: Taken | undefined, { sides, runs }: CollectedSides): number {
  const isSometimes = (taken?.[test] ?? 0) < (runs[test] ?? 0);
  const breadth = Object.values(sides).filter((each) => test in each).length;
  return breadth + (isSometimes ? 10_000 : 0);
}
