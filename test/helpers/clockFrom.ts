/** A clock that starts at a given time, in unix milliseconds, and advances with the system clock. */
export function clockFrom(start: number): () => number {
  const ahead = start - Date.now();
  return () => Date.now() + ahead;
}
