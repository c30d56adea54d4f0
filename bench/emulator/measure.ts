/** How long each of some runs took, in milliseconds, one after the other. */
export async function timeEach(runs: number, run: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

/** How many runs a second end within some seconds, so many at a time. */
export async function ratePerSecond(
  seconds: number,
  concurrency: number,
  run: () => Promise<void>,
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let finished = 0;
  const lane = async () => {
    while (performance.now() < end) {
      await run();
      finished++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return (finished * 1_000) / (performance.now() - started);
}

/** The value that so large a share of the measurements does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("there is nothing to take a percentile of");
  return value;
}
