/** What came of the mutants of a run. */
export type Report = {
  made: number;
  /** By the code of the refusal. */
  refused: Record<string, number>;
  /** Those that the proof took; each of them was carried out. */
  accepted: number;
  /** How those ended, for the money and for `execute`. */
  ends: Record<string, number>;
  /** Each that cost the user money, with its seed, or left a permission that was not asked for. */
  lost: string[];
};

/** A report of nothing yet. */
export function emptyReport(): Report {
  return { accepted: 0, ends: {}, lost: [], made: 0, refused: {} };
}

/** Counts one more of a name. */
export function countOf(counts: Record<string, number>, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

/** Adds a report to another. */
export function addReport(sum: Report, report: Report): void {
  sum.made += report.made;
  sum.accepted += report.accepted;
  sum.lost.push(...report.lost);
  for (const [name, count] of Object.entries(report.refused)) countOf(sum.refused, name, count);
  for (const [name, count] of Object.entries(report.ends)) countOf(sum.ends, name, count);
}

/** A line of numbers. */
export function summaryOf({ accepted, ends, lost, made, refused }: Report): string {
  const count = Object.values(refused).reduce((sum, each) => sum + each, 0);
  const numbers = `${made} made, ${count} refused, ${accepted} accepted, ${lost.length} lost`;
  return `${numbers}; refused ${JSON.stringify(refused)}; ends ${JSON.stringify(ends)}`;
}
