/** A broken rule, with what is needed to fix it. */
export type Problem = {
  /** Path from the repository's root. */
  file: string;
  line?: number | undefined;
  /** The fault and its rule. */
  message: string;
};

/** A file for the checks. They take lists of files, so that tests can pass bad ones. */
export type SourceFile = { path: string; text: string };

export function formatProblem({ file, line, message }: Problem): string {
  return `${line === undefined ? file : `${file}:${line}`}  ${message}`;
}

/** The 1-based line of a character position. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
