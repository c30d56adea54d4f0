import { printable } from "../errors/printable.ts";

/**
 * Formats any value for a message, in 80 characters at most. Never throws, unlike `String`, which throws for some objects.
 */
export function show(value: unknown): string {
  if (typeof value === "object")
    return value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
  if (typeof value === "function") return "a function";
  return printable(String(value), 80);
}
