/** A clock that shows some time now, in unix milliseconds, and goes on as the machine's does. */
export function clockFrom(start: number): () => number {
  const ahead = start - Date.now();
  return () => Date.now() + ahead;
}
