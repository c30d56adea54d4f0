/** Serializes reads: each starts after the previous one ended, so that the result of the last one stays. */
export function inOrder(read: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  };
}
