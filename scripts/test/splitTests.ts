import { findTests } from "./findTests.ts";

/** Neighbouring test files, which share helpers and servers. */
export type TestGroup = { readonly name: string; readonly files: readonly string[] };

/** Finds every test file below `test` and splits the sorted list into at most this many groups of equal length. */
export function splitTests(root: string, count: number): TestGroup[] {
  const files = findTests(root, "test").filter((file) => file.endsWith(".test.ts"));
  const length = Math.ceil(files.length / count);
  const starts = Array.from({ length: count }, (_, group) => group * length).filter(
    (start) => start < files.length,
  );
  return starts.map((start, index) => {
    const group = files.slice(start, start + length);
    return { files: group, name: `TypeScript tests ${index + 1} of ${starts.length}, from ${group[0]}` };
  });
}
