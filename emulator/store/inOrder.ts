/** Has a reading begin when the one before has ended: the last to begin is the last to end, and what it saw stays. */
export function inOrder(read: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  };
}
