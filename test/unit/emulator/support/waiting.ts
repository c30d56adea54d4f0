/** Resolves after a time in milliseconds; the default is longer than any work that a test rules out. */
export async function pause(ms = 150): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves once a condition holds; throws after 15 seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never true: ${holds}`);
    await pause(2);
  }
}
