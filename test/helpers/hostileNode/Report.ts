/** Outcomes of runs. */
export type HostileReport = {
  runs: number;
  /** Runs whose payment was made. */
  paid: number;
  /** Ends of the calls of `execute`. */
  ends: Record<string, number>;
  /** The attacker's answers, by method and kind of lie, or `truth`. */
  told: Record<string, number>;
  /** Failed runs: seed, broken promises, script and trace. */
  failures: string[];
};

/** Creates an empty report. */
export function emptyReport(): HostileReport {
  return { ends: {}, failures: [], paid: 0, runs: 0, told: {} };
}

/** Adds a report to another. */
export function addReport(sum: HostileReport, { ends, failures, paid, runs, told }: HostileReport): void {
  sum.runs += runs;
  sum.paid += paid;
  sum.failures.push(...failures);
  addCounts(sum.ends, ends);
  addCounts(sum.told, told);
}

function addCounts(sum: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

/** Formats the counts as one line. */
export function summaryOf({ ends, failures, paid, runs }: HostileReport): string {
  return `${runs} runs, ${paid} paid, ${failures.length} failed; ends ${JSON.stringify(ends)}`;
}

/** @throws Error with the broken promises of all runs, and scripts and traces of the first ones. */
export function assertNoFailures({ failures }: HostileReport): void {
  if (failures.length === 0) return;
  const heads = failures.map((failure) => failure.split("\n  {", 1)[0]);
  throw new Error([`${failures.length} runs failed`, ...failures.slice(0, 3), ...heads].join("\n"));
}

/** Methods that the victim asked, and those of them that the attacker lied about. */
export function methodsOf({ told }: HostileReport): { asked: readonly string[]; lied: readonly string[] } {
  const methods = (names: readonly string[]) =>
    [...new Set(names.map((name) => name.split(" ", 1)[0] ?? ""))].sort();
  const names = Object.keys(told);
  return { asked: methods(names), lied: methods(names.filter((name) => !name.endsWith(" truth"))) };
}
