import { inspect } from "node:util";
import { expect } from "chai";
import type { ZodMiniType } from "zod/mini";
import { firstIssue, type Issue } from "../../../../src/schema/wire/firstIssue.ts";

/** Expects that a schema refuses each value. */
export function refuses(schema: ZodMiniType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.safeParse(value).success, inspect(value)).to.equal(false);
}

/** Expects that each value passes unchanged. */
export function keeps(schema: ZodMiniType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.parse(value)).to.deep.equal(value);
}

/** The first issue of a value; fails when there is none. */
export function issueOf(schema: ZodMiniType, value: unknown): Issue {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error(`expected an issue: ${inspect(value)}`);
  return firstIssue(error);
}

/** Expects that a schema refuses each value at a path. */
export function refusesAt(schema: ZodMiniType, cases: readonly (readonly [unknown, string])[]): void {
  for (const [value, path] of cases) expect(issueOf(schema, value).path, inspect(value)).to.equal(path);
}
