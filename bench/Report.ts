import { printTable } from "./table.ts";

/** Results of a benchmark, as text and as values. */
export type Report = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The results as plain values. Field names state the unit: `Ms`, `Gas`. */
  readonly values: readonly Readonly<Record<string, unknown>>[];
};

/** Runs and returns the report; prints nothing. */
export type Benchmark = () => Promise<Report>;

/** Renders a table for each benchmark, or a JSON object with the values by benchmark name. */
export function printReports(reports: Readonly<Record<string, Report>>, asJson: boolean): void {
  if (asJson) {
    const values = Object.entries(reports).map(([name, report]) => [name, report.values] as const);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(values), null, 2)}\n`);
    return;
  }
  for (const [index, { header, rows }] of Object.values(reports).entries()) {
    if (index > 0) process.stdout.write("\n");
    printTable(header, rows);
  }
}
