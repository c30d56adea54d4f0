import type * as z from "zod/mini";

/** Path and reason of an invalid value. */
export type Issue = {
  /** Dotted (`txs.0.data`); empty for the value as a whole. */
  path: string;
  /** The expectation, without the value and without a full stop. */
  reason: string;
};

type RawIssue = z.core.$ZodIssue;

/**
 * Selects the most helpful issue of a failed parse, for an error message.
 *
 * For a union, selects the member whose discriminating field matches, and among those the one with the deepest issue.
 */
export function firstIssue(error: Pick<z.core.$ZodError, "issues">): Issue {
  const [issue] = error.issues;
  if (issue === undefined) return { path: "", reason: "not valid" };
  const { issue: helpful, path } = leaf(issue, []);
  return { path: path.map(String).join("."), reason: describeIssue(helpful) };
}

type Leaf = { issue: RawIssue; path: PropertyKey[] };

function leaf(issue: RawIssue, prefix: readonly PropertyKey[]): Leaf {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return { issue, path };
  const meant = issue.errors.filter((branch) => !branch.some(isDiscriminator));
  const branches = meant.length > 0 ? meant : issue.errors;
  const leaves = branches.flatMap((branch) => branch.map((inner) => leaf(inner, path)));
  return leaves.reduce((best, next) => (next.path.length > best.path.length ? next : best));
}

function isDiscriminator(issue: RawIssue): boolean {
  if (issue.code === "invalid_value") return true;
  const last = issue.path.at(-1);
  return issue.code === "custom" && (last === "kind" || last === "signatureKind");
}

/** The expectation that an issue reports, without the value, which comes from outside, and without zod's locales. */
function describeIssue(issue: z.core.$ZodIssue): string {
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
