import { type Comparison, compareWithFloor } from "./compareWithFloor.ts";
import { formatDifference, formatGas } from "./format.ts";
import type { Measured } from "./measureGas.ts";
import { type GasRow, gasRows } from "./rows.ts";

/** Markers in docs/reference/gas.md around the generated tables. */
const TABLES_BEGIN = "<!-- measured: written by the gas test, do not edit -->";
const TABLES_END = "<!-- end of what is measured -->";

/** Renders all figures of the page: a table of the paths, and a breakdown of each. */
export function renderGasTables(measured: Readonly<Record<string, Measured>>): string {
  const rows = Object.entries(gasRows).map(([name, { floor, path, peer, target }]: [string, GasRow]) =>
    markdownRow([path, ...[floor, peer, target, measured[name]?.gas].map(formatGas)]),
  );
  const comparisons = compareWithFloor(measured);
  const withFloor = comparisons.filter(({ floor }) => floor !== undefined);
  const others = comparisons.filter(({ floor }) => floor === undefined);
  return [
    "| path | floor | best peer | target | ours |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
    ...withFloor.flatMap((comparison) => ["", ...againstFloor(comparison)]),
    ...others.flatMap((comparison) => ["", ...alone(comparison)]),
  ].join("\n");
}

function againstFloor({ floor = 0, gas, items, path }: Comparison): readonly string[] {
  return [
    `| ${path} | floor | ours | over |`,
    "| --- | ---: | ---: | ---: |",
    ...items.map(({ floorGas, gas: ours, item }) =>
      markdownRow([item, formatGas(floorGas), formatGas(ours), formatDifference(ours - floorGas)]),
    ),
    markdownRow(["**sum**", formatGas(floor), formatGas(gas), formatDifference(gas - floor)]),
  ];
}

function alone({ gas, items, path }: Comparison): readonly string[] {
  return [
    `| ${path} | ours |`,
    "| --- | ---: |",
    ...items.map(({ gas: ours, item }) => markdownRow([item, formatGas(ours)])),
    markdownRow(["**sum**", formatGas(gas)]),
  ];
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Replaces the tables between the markers. */
export function replaceTables(page: string, tables: string): string {
  const begin = page.indexOf(TABLES_BEGIN);
  const end = page.indexOf(TABLES_END);
  if (begin < 0 || end < begin) throw new Error("The page has no place for tables.");
  return `${page.slice(0, begin)}${TABLES_BEGIN}\n\n${tables}\n\n${page.slice(end)}`;
}
