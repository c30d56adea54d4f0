import type * as z from "zod/mini";
import { findUnknown } from "../../src/schema/wire/findUnknown.ts";
import { type Finding, fail, ok, warn } from "./Finding.ts";

/** Findings that are listed of one answer. */
const most = 20;

/**
 * Compares an answer with its schema: missing fields and changed types fail, undocumented fields and values warn. An answer has one
 * finding for each place, however many entries a list has.
 *
 * @param subject Method and path.
 */
export function findDrift(subject: string, schema: z.ZodMiniType, answer: unknown): readonly Finding[] {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    const places = new Map(parsed.error.issues.map((issue) => [patternOf(issue.path), issue.message]));
    return [...places]
      .slice(0, most)
      .map(([path, message]) =>
        fail(
          subject,
          `${path === "" ? "the answer" : `\`${path}\``} is not as documented: ${message}`,
          "update waybill, or report the change",
        ),
      );
  }
  const unknown = findUnknown(schema, parsed.data, most);
  if (unknown.length === 0) return [ok(subject, "as documented")];
  return unknown.map(({ kind, path, value }) => {
    const what = kind === "field" ? `field \`${path}\`` : `value ${JSON.stringify(value)} of \`${path}\``;
    return warn(subject, `undocumented ${what}`, "update waybill if you need it");
  });
}

function patternOf(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === "number" ? "*" : String(part))).join(".");
}
