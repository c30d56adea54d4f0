import type * as z from "zod/mini";

/**
 * Describes a validation issue without the value, which comes from outside. Does not depend on zod's locales.
 *
 * @returns The expectation, without a full stop.
 */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "invalid_value":
      return `not one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_big":
      return `${measure(issue.origin)}more than ${issue.maximum}`;
    case "too_small":
      return `${measure(issue.origin)}less than ${issue.minimum}`;
    case "unrecognized_keys":
      return `no such field: ${issue.keys.map((key) => JSON.stringify(key.slice(0, 64))).join(", ")}`;
    default:
      return issue.message.replace(/^Invalid input: /, "").replace(/\.$/, "");
  }
}

function measure(origin: string): string {
  if (origin === "string") return "its length is ";
  return origin === "array" ? "its number of entries is " : "";
}
