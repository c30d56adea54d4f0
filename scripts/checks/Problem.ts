/** One broken rule, in the words a person needs to mend it. */
export type Problem = {
  /** Path from the repository's root. */
  file: string;
  line?: number | undefined;
  /** What is wrong and which rule says so. */
  message: string;
};

/** A file as the checks see it: they work on lists of these, so that tests can feed them bad ones. */
export type SourceFile = { path: string; text: string };

export function formatProblem({ file, line, message }: Problem): string {
  return `${line === undefined ? file : `${file}:${line}`}  ${message}`;
}

/** The 1-based line of a character position. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
