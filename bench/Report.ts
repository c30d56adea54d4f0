import { printTable } from "./table.ts";

/** What a benchmark found, for people and for machines. */
export type Report = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The same as plain values; fields that are times or gas say so in their names. */
  readonly values: readonly Readonly<Record<string, unknown>>[];
};

/** Runs and says what it found; prints nothing itself. */
export type Benchmark = () => Promise<Report>;

/** One table for each benchmark, or one JSON object with the values of each by its name. */
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
