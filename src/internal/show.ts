/** Maximum length of a value in messages. */
const longest = 80;

/**
 * Formats any value for a message. Never throws, unlike `String`, which throws for some objects.
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
