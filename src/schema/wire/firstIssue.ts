import type * as z from "zod/mini";
import { describeIssue } from "./describeIssue.ts";

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
  const deepest = leaves.reduce((best, next) => (next.path.length > best.path.length ? next : best));
  return deepest;
}

function isDiscriminator(issue: RawIssue): boolean {
  if (issue.code === "invalid_value") return true;
  const last = issue.path.at(-1);
  return issue.code === "custom" && (last === "kind" || last === "signatureKind");
}
