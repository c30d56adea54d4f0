/** Writes `docs/specification.md` from the statements and the marks of tests. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";
import { findMarks } from "../specification/findMarks.ts";
import { renderSpecification, SPECIFICATION_PAGE } from "../specification/renderSpecification.ts";
import { SECTIONS } from "../specification/sections.ts";

/** Reads the tests that may be marked. */
export function readMarkedTests(): ReturnType<typeof readFiles> {
  return readFiles(".ts", ".sol").filter(({ path }) => /^(?:test|campaigns)\//.test(path));
}

export function writeSpecification(): void {
  const text = renderSpecification(SECTIONS, findMarks(readMarkedTests()));
  writeFileSync(join(root, SPECIFICATION_PAGE), text);
}

if (import.meta.main) {
  writeSpecification();
  process.stdout.write(`${SPECIFICATION_PAGE} written\n`);
}
