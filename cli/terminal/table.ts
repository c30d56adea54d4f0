import { printable } from "../../src/errors/printable.ts";

/** Lays rows out in columns, two spaces apart. Cells may be foreign text. */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => printable(cell)));
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
