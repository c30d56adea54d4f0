/**
 * Replaces NUL characters by the replacement character, for writes and searches. PostgreSQL cannot store NUL, and SQLite cuts
 * text off there.
 */
export function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
