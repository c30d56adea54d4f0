/** Measures consecutive runs, each in milliseconds. */
export async function timeEach(runs: number, run: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

/** Measures completed runs per second, at a given concurrency. */
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

/** Computes a percentile of the measurements. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("there is nothing to take a percentile of");
  return value;
}
