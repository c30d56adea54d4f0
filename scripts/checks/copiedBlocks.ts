/** Rule: a code block of a page whose fence names a file, as in "typescript examples/viem-script/pay.ts", is a part of that file. */
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

const COPY = /^```\w+ ([\w-]+\/\S+)\n([\s\S]*?)^```$/gm;

export function checkCopiedBlocks(pages: readonly SourceFile[], sources: readonly SourceFile[]): Problem[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(COPY)]
      .filter(
        ([, file, code = ""]) => sources.find((each) => each.path === file)?.text.includes(code) !== true,
      )
      .map((match) => ({
        file: path,
        line: lineAt(text, match.index),
        message: `shows lines that ${match[1]} does not have`,
      })),
  );
}
