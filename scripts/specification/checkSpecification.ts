/**
 * Rule: every built statement of the specification has a test with its mark. Every mark names a built statement and is
 * directly above a test. The page equals the generator's output.
 */
import { checkGenerated } from "../checks/generated.ts";
import type { Problem, SourceFile } from "../checks/Problem.ts";
import { findMarks, type Mark } from "./findMarks.ts";
import { renderSpecification, SPECIFICATION_PAGE } from "./renderSpecification.ts";
import { type Section, type StatementState, stateOf } from "./Section.ts";

/**
 * @param sections The statements.
 * @param tests Sources of the tests that may be marked.
 * @param page The committed page; undefined if there is none.
 */
export function checkSpecification(
  sections: readonly Section[],
  tests: readonly SourceFile[],
  page: SourceFile | undefined,
): Problem[] {
  const marks = findMarks(tests);
  const statements = sections.flatMap((section) => Object.entries(section.statements));
  const states = new Map(statements.map(([id, statement]) => [id, stateOf(statement)]));
  const marked = new Set(marks.flatMap(({ ids }) => ids));
  const repeated = statements
    .map(([id]) => id)
    .filter((id, index, ids) => ids.indexOf(id) !== index)
    .map((id) => ({ file: SPECIFICATION_PAGE, message: `has two statements with the id "${id}"` }));
  const unmarked = [...states]
    .filter(([id, state]) => state === "proven" && !marked.has(id))
    .map(([id]) => ({
      file: SPECIFICATION_PAGE,
      message: `has no test for "${id}": mark one with "// @spec ${id}"`,
    }));
  const expected = { path: SPECIFICATION_PAGE, text: renderSpecification(sections, marks) };
  return [
    ...repeated,
    ...marks.flatMap((mark) => problemsOf(mark, states)),
    ...unmarked,
    ...checkGenerated([expected], page === undefined ? [] : [page]),
  ];
}

function problemsOf({ file, line, ids, test }: Mark, states: ReadonlyMap<string, StatementState>): Problem[] {
  const messages = ids.flatMap((id) => {
    const state = states.get(id);
    if (state === undefined) return [`marks "${id}", which is no statement of the specification`];
    return state === "proven" ? [] : [`marks "${id}", which is listed as ${state}`];
  });
  if (ids.length === 0) messages.push("has a mark without an id");
  if (test === undefined)
    messages.push("has a mark above no test: put it directly above it(…) or describe(…)");
  return messages.map((message) => ({ file, line, message }));
}
