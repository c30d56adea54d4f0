import type { SourceFile } from "../Problem.ts";
import { readFiles } from "../repository.ts";

/** A program of a page: one code block, and the blocks after it that are marked `continue`. */
export type Sample = {
  page: string;
  /** Line of the page on which the program starts. */
  line: number;
  /** Stands on the lines that it has on the page, so that a compiler's lines are the page's. */
  code: string;
  /** Whether its fence is marked `run`. */
  isRun: boolean;
};

const FENCE = /^```(ts|solidity)\b([^\n]*)\n([\s\S]*?)^```$/gm;

/** The pages whose code blocks are checked. */
export const readPages = (): SourceFile[] =>
  readFiles(".md").filter(({ path }) => /^(?:docs\/|(?:emulator\/|hardhat\/)?README\.md$)/.test(path));

/** @throws Error for a fence with an unknown mark, or with nothing to continue. */
export function readSamples(pages: readonly SourceFile[], language: "solidity" | "ts"): Sample[] {
  return pages.flatMap(({ path, text }) => {
    const samples: Sample[] = [];
    for (const { 1: name, 2: info = "", 3: code = "", index } of text.matchAll(FENCE)) {
      if (name !== language) continue;
      const line = text.slice(0, index).split("\n").length;
      const marks = info.split(" ").filter((mark) => mark !== "");
      const last = samples.at(-1);
      const unknown = marks.find((mark) => mark !== "run" && mark !== "continue");
      if (unknown !== undefined)
        throw new Error(`${path}:${line} has a fence with the unknown mark ${unknown}`);
      if (!marks.includes("continue")) {
        samples.push({ code: "\n".repeat(line) + code, isRun: marks.includes("run"), line, page: path });
      } else if (last === undefined) {
        throw new Error(`${path}:${line} continues no block`);
      } else {
        last.code += "\n".repeat(line + 1 - last.code.split("\n").length) + code;
      }
    }
    return samples;
  });
}
