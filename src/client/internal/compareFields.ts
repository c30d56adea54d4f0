import { show } from "../../internal/show.ts";

/** Reports a difference by its path and both values. */
export type ReportDifference = (path: string, expected: string, actual: string) => void;

/**
 * Compares a value of the service with the one expected value, whole: a missing, changed or additional field differs. Letter
 * case counts, except in hexadecimal.
 *
 * @param expected Objects, lists, texts and numbers.
 */
export function compareFields(
  expected: unknown,
  actual: unknown,
  path: string,
  report: ReportDifference,
): void {
  if (!isObject(expected)) {
    if (!isObject(actual) && fold(expected) === fold(actual)) return;
    report(path, show(expected), show(actual));
    return;
  }
  if (!isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    report(path, show(expected), show(actual));
    return;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const at = `${path}.${show(name)}`;
    if (Object.hasOwn(expected, name)) {
      compareFields(expected[name], Object.hasOwn(actual, name) ? actual[name] : undefined, at, report);
    } else if (actual[name] !== undefined) report(at, "nothing", show(actual[name]));
  }
}

/** Whether a value has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Numbers equal their decimal text, as JSON has both. */
function fold(value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return `${typeof value}`;
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}
