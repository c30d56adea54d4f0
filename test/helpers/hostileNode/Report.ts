/** Outcomes of runs. */
export type HostileReport = {
  runs: number;
  /** Runs whose payment was made. */
  paid: number;
  /** Ends of the calls of `execute`. */
  ends: Record<string, number>;
  /** Failed runs: seed, broken promises, script and trace. */
  failures: string[];
};

/** Creates an empty report. */
export function emptyReport(): HostileReport {
  return { ends: {}, failures: [], paid: 0, runs: 0 };
}

/** Adds a report to another. */
export function addReport(sum: HostileReport, { ends, failures, paid, runs }: HostileReport): void {
  sum.runs += runs;
  sum.paid += paid;
  sum.failures.push(...failures);
  for (const [end, count] of Object.entries(ends)) sum.ends[end] = (sum.ends[end] ?? 0) + count;
}

/** Formats the counts as one line. */
export function summaryOf({ ends, failures, paid, runs }: HostileReport): string {
  return `${runs} runs, ${paid} paid, ${failures.length} failed; ends ${JSON.stringify(ends)}`;
}
