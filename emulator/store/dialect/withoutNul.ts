/**
 * A value as both databases keep it. Text with the character NUL in it cannot be stored in the one and is cut off there
 * by the other: it is written, and looked for, with the replacement character instead.
 */
export function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
