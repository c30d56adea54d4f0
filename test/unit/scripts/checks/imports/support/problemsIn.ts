import type { Problem, SourceFile } from "../../../../../../scripts/checks/Problem.ts";

/** Reports of `check` on files, given by path: `file:line message`. */
export const problemsIn =
  (check: (files: readonly SourceFile[]) => readonly Problem[]) =>
  (files: Readonly<Record<string, string>>): string[] =>
    check(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
      ({ file, line, message }) => `${file}:${line ?? ""} ${message}`,
    );
