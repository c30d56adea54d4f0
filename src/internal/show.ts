/** Longer texts are cut in messages. */
const longest = 80;

/**
 * Writes a value of any kind for a message. Unlike `String`, it never throws: objects may have no way to become text.
 *
 * @example
 * show("0x1234"); // "0x1234"
 * show(Object.create(null)); // "an object"
 */
export function show(value: unknown): string {
  if (typeof value === "object")
    return value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
  if (typeof value === "function") return "a function";
  const text = String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
