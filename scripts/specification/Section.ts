/** A statement of the service's specification, by its state. */
export type Statement =
  /** Built; at least one test is marked with its id. */
  | string
  /** Not built: the emulator leaves it out, refuses it or answers 501. No test is marked with its id. */
  | { readonly open: string }
  /** Built, but no test asserts it. No test is marked with its id. */
  | { readonly untested: string };

/**
 * Parts of the specification by title, and their statements by id: a subject and a name, such as `quote/rate`. Marks in tests name
 * the id, so it must not change.
 */
export type Sections = Readonly<Record<string, Readonly<Record<string, Statement>>>>;

/** `proven` statements have tests; the others have none. */
export type StatementState = "open" | "proven" | "untested";

export function stateOf(statement: Statement): StatementState {
  if (typeof statement === "string") return "proven";
  return "open" in statement ? "open" : "untested";
}

export function wordsOf(statement: Statement): string {
  if (typeof statement === "string") return statement;
  return "open" in statement ? statement.open : statement.untested;
}
