/** Outcomes of a run's mutants. */
export type Report = {
  made: number;
  /** Rejected mutants, by error code. */
  refused: Record<string, number>;
  /** Mutants that the proof accepted; each was executed. */
  accepted: number;
  /** Ends of the accepted mutants, for the money and for `execute`. */
  ends: Record<string, number>;
  /** Mutants that cost the user money or left an unrequested permission, with their seeds. */
  lost: string[];
};

/** Creates an empty report. */
export function emptyReport(): Report {
  return { accepted: 0, ends: {}, lost: [], made: 0, refused: {} };
}

/** Increments the count of a name. */
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

/** Formats the counts as one line. */
export function summaryOf({ accepted, ends, lost, made, refused }: Report): string {
  const count = Object.values(refused).reduce((sum, each) => sum + each, 0);
  const numbers = `${made} made, ${count} refused, ${accepted} accepted, ${lost.length} lost`;
  return `${numbers}; refused ${JSON.stringify(refused)}; ends ${JSON.stringify(ends)}`;
}
