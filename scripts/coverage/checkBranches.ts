/** Rule: every branch of the deployable contracts has a row with a test for each side, and there are no other rows. */

import { checkNamedTests } from "../checks/namedTests.ts";
import type { Problem, SourceFile } from "../checks/Problem.ts";
import { type BranchRow, isNever, readBranchRows, testsNamedIn } from "./branchTable.ts";
import { type Branch, branchKey, findBranches } from "./findBranches.ts";

/**
 * @param page The page with the tables.
 * @param contracts Sources whose branches need rows.
 * @param tests Sources of the tests that the page may list.
 */
export function checkBranches(
  page: SourceFile,
  contracts: readonly SourceFile[],
  tests: readonly SourceFile[],
): Problem[] {
  const branches = findBranches(contracts);
  const rows = readBranchRows(page);
  const keys = new Set(branches.map(branchKey));
  const strange = rows
    .filter(({ key }, index) => !keys.has(key) || rows.findIndex((row) => row.key === key) !== index)
    .map(({ key, line }) => ({
      file: page.path,
      line,
      message: `has a row too many for "${key}": the contracts have no such branch, or it has a row already`,
    }));
  const known = new Map(rows.map((row) => [row.key, row]));
  return [
    ...branches.flatMap((branch) => problemsOf(branch, known.get(branchKey(branch)), page.path)),
    ...strange,
    ...checkNamedTests([page], tests),
  ];
}

function problemsOf(branch: Branch, row: BranchRow | undefined, page: string): Problem[] {
  const key = branchKey(branch);
  if (row === undefined)
    return [{ file: branch.file, message: `has a branch without a row in ${page}: "${key}"` }];
  const saidSides = [...row.cells.keys()].join(", ");
  if (saidSides !== branch.sides.join(", ")) {
    return [
      { file: page, line: row.line, message: `has other sides for "${key}" than ${branch.sides.join(", ")}` },
    ];
  }
  return branch.sides
    .filter(
      (side) => !isNever(row.cells.get(side) ?? "") && testsNamedIn(row.cells.get(side) ?? "").length === 0,
    )
    .map((side) => ({ file: page, line: row.line, message: `names no test in which "${key}" is ${side}` }));
}
