/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
