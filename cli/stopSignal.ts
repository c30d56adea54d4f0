/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export async function stopSignal(): Promise<void> {
  const signals = ["SIGINT", "SIGTERM"] as const;
  await new Promise<void>((resolve) => {
    const stop = () => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
