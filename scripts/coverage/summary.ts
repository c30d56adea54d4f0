/** Sums the coverage by file, and lists the gaps. */
import type { SourceFile } from "../checks/Problem.ts";
import { lineAt } from "../checks/Problem.ts";
import { type CollectedSides, sideName } from "./BranchCollector.ts";
import { type Branch, branchKey } from "./findBranches.ts";
import type { Lines } from "./hardhatReport.ts";
import { memberOf, membersOf, nameOf, parseSolidity, placeOf } from "./syntaxTree.ts";

type Share = { readonly covered: number; readonly all: number };

export type FileSummary = {
  readonly file: string;
  readonly lines: Share;
  /** In percent, as Hardhat reports it. */
  readonly statements: number;
  readonly functions: Share;
  readonly sides: Share;
  /** Descriptions of what no test reached. */
  readonly missing: readonly string[];
};

export type Measured = {
  readonly lines: Lines;
  readonly statements: ReadonlyMap<string, number>;
  readonly collected: CollectedSides;
};

/** The results of several runners as one. */
export function mergeCollected(all: readonly CollectedSides[]): CollectedSides {
  const sides: Record<string, Record<string, number>> = {};
  const runs: Record<string, number> = {};
  for (const collected of all) {
    for (const [side, taken] of Object.entries(collected.sides)) sides[side] = { ...sides[side], ...taken };
    Object.assign(runs, collected.runs);
  }
  return { sides, runs };
}

/**
 * @param isExempt Whether the branch page explains why a side is unreachable.
 * @throws Error for a file with statements but without measurements.
 */
export function summarise(
  file: SourceFile,
  branches: readonly Branch[],
  measured: Measured,
  isExempt: (branch: Branch, side: string) => boolean,
): FileSummary | undefined {
  const lines = measured.lines.get(file.path);
  if (lines === undefined) {
    if (branches.length > 0) throw new Error(`Hardhat measured nothing of ${file.path}.`);
    return undefined;
  }
  const statements = measured.statements.get(file.path);
  if (statements === undefined) throw new Error(`Hardhat's table has no row for ${file.path}.`);
  const functions = functionsOf(file, lines);
  const sides = branches
    .filter((branch) => branch.file === file.path)
    .flatMap((branch) =>
      branch.sides.filter((side) => !isExempt(branch, side)).map((side) => ({ branch, side })),
    );
  const untaken = sides.filter(({ branch, side }) => !(sideName(branch, side) in measured.collected.sides));
  return {
    file: file.path,
    lines: { covered: [...lines.values()].filter((isRun) => isRun).length, all: lines.size },
    statements,
    functions: { covered: functions.filter(({ isRun }) => isRun).length, all: functions.length },
    sides: { covered: sides.length - untaken.length, all: sides.length },
    missing: [
      ...[...lines].filter(([, isRun]) => !isRun).map(([line]) => `line ${line}`),
      ...functions.filter(({ isRun }) => !isRun).map(({ name }) => `function ${name}`),
      ...untaken.map(({ branch, side }) => `${branchKey(branch)} is never ${side}`),
    ],
  };
}

/** Hardhat reports no functions: one is run when a line of it is. Those without a line that it counts are left out. */
function functionsOf(
  file: SourceFile,
  lines: ReadonlyMap<number, boolean>,
): { name: string; isRun: boolean }[] {
  const tree = parseSolidity([file]).get(file.path);
  if (tree === undefined) throw new Error(`The compiler did not parse ${file.path}.`);
  return membersOf(tree, "nodes")
    .flatMap((contract) => membersOf(contract, "nodes"))
    .flatMap((definition) => {
      const body = memberOf(definition, "body");
      if (body === undefined) return [];
      const { start, end } = placeOf(body, file.text);
      const [first, last] = [lineAt(file.text, start), lineAt(file.text, end)];
      const own = [...lines].filter(([line]) => line >= first && line <= last);
      if (own.length === 0) return [];
      const name = nameOf(definition) || String(definition["kind"]);
      return [{ name, isRun: own.some(([, isRun]) => isRun) }];
    });
}

export function isComplete({ lines, statements, functions, sides }: FileSummary): boolean {
  return statements === 100 && [lines, functions, sides].every(({ covered, all }) => covered === all);
}

/** One row per file, and one for all. */
export function renderSummary(files: readonly FileSummary[]): string {
  const share = ({ covered, all }: Share) => `${covered}/${all}`;
  const sum = (of: (file: FileSummary) => Share): Share => ({
    covered: files.reduce((total, file) => total + of(file).covered, 0),
    all: files.reduce((total, file) => total + of(file).all, 0),
  });
  const rows = [
    ["file", "lines", "statements", "functions", "branch sides"],
    ...files.map((file) => [
      file.file,
      share(file.lines),
      `${file.statements.toFixed(2)} %`,
      share(file.functions),
      share(file.sides),
    ]),
    [
      "all",
      share(sum(({ lines }) => lines)),
      files.every(({ statements }) => statements === 100) ? "100.00 %" : "below 100 %",
      share(sum(({ functions }) => functions)),
      share(sum(({ sides }) => sides)),
    ],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}
