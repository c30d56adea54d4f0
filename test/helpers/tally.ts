/** Counts and failures of a campaign's runs. */
export type Tally = {
  readonly counts: Record<string, number>;
  /** In words, with the seed. */
  readonly failures: string[];
};

export const emptyTally = (): Tally => ({ counts: {}, failures: [] });

/** Increments the count of a name. */
export function countIn({ counts }: Tally, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

/** Adds a tally to another. */
export function addTally(sum: Tally, { counts, failures }: Tally): void {
  sum.failures.push(...failures);
  for (const [name, count] of Object.entries(counts)) countIn(sum, name, count);
}

/** Sums the counts of names with a beginning. */
export function countOf({ counts }: Tally, beginning: string): number {
  const found = Object.entries(counts).filter(([name]) => name.startsWith(beginning));
  return found.reduce((sum, [, count]) => sum + count, 0);
}
