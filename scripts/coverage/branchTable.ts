/** Parses and renders the page that lists the tests of each side of each branch. */
import type { SourceFile } from "../checks/Problem.ts";
import { type Branch, branchKey } from "./findBranches.ts";

/** The page's path from the root. */
export const BRANCH_PAGE = "docs/branches.md";

/** A row of the page: one branch. */
export type BranchRow = {
  readonly key: string;
  readonly line: number;
  /** Cells by the name of the side. */
  readonly cells: ReadonlyMap<string, string>;
};

const NEVER = "never: ";
const TEST_NAME = /`(\w+)`|"([^"]+)"/g;

/** Lists the tests in a cell; none if it explains why there is none. */
export function testsNamedIn(cell: string): string[] {
  if (isNever(cell)) return [];
  return [...cell.matchAll(TEST_NAME)].map((match) => match[1] ?? match[2] ?? "");
}

/** Whether a cell explains why its side is unreachable. */
export function isNever(cell: string): boolean {
  return cell.startsWith(NEVER) && cell.length > NEVER.length;
}

/** The tables of a page, each below the heading of its contract. */
export function readBranchRows({ text }: SourceFile): BranchRow[] {
  const rows: BranchRow[] = [];
  let contract = "";
  let sides: readonly string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.startsWith("## ")) contract = line.slice("## ".length).trim();
    const cells = cellsOf(line);
    const [name = "", condition = ""] = cells;
    if (name === "function") sides = cells.slice(2);
    if (!name.startsWith("`")) continue;
    const said = sides.map((side, column) => [side, cells[column + 2] ?? ""] as const);
    const key = `${contract}.${unquoted(name)}: ${unquoted(condition)}`;
    rows.push({ key, line: index + 1, cells: new Map(said) });
  }
  return rows;
}

function cellsOf(line: string): string[] {
  if (!line.startsWith("|")) return [];
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function unquoted(cell: string): string {
  return cell.replace(/^`|`$/g, "");
}

/**
 * Writes the tables.
 *
 * @param branches In the order of the sources; their contracts are put in order of their names.
 * @param cellOf Renders the cell of a side.
 */
export function renderBranchTables(
  branches: readonly Branch[],
  cellOf: (branch: Branch, side: string) => string,
): string {
  const contracts = [...new Set(branches.map(({ contract }) => contract))].sort();
  return contracts
    .map((contract) => {
      const own = branches.filter((branch) => branch.contract === contract);
      return `## ${contract}\n\n${tablesOf(own, cellOf)}`;
    })
    .join("\n");
}

function tablesOf(branches: readonly Branch[], cellOf: (branch: Branch, side: string) => string): string {
  const columns = [...new Set(branches.map(({ sides }) => sides.join(" | ")))];
  const table = (header: string) => {
    const rows = branches
      .filter(({ sides }) => sides.join(" | ") === header)
      .map((branch) => {
        const cells = branch.sides.map((side) => escaped(cellOf(branch, side)));
        return `| \`${branch.function}\` | \`${escaped(branch.condition)}\` | ${cells.join(" | ")} |`;
      });
    const rule = "| --- ".repeat(
      (branches.find(({ sides }) => sides.join(" | ") === header)?.sides.length ?? 0) + 2,
    );
    return [`| function | condition | ${header} |`, `${rule}|`, ...rows, ""].join("\n");
  };
  return columns.map(table).join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Indexes the rows by branch. */
export function rowsByKey(rows: readonly BranchRow[]): ReadonlyMap<string, BranchRow> {
  return new Map(rows.map((row) => [row.key, row]));
}

/** Returns the page's cell of a side, or undefined. */
export function cellFor(rows: ReadonlyMap<string, BranchRow>, branch: Branch, side: string): string {
  return rows.get(branchKey(branch))?.cells.get(side) ?? "";
}
