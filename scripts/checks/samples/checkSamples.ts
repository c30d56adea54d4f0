/**
 * Rule: the code blocks of the documents, and the examples of the exports, compile. `ts` is a strict app's module, which imports
 * the packages by name; `solidity` is a whole file. Solidity tests among the blocks pass.
 *
 * Marks in the fence: `continue` joins a block to the one before it; `run` has `test/integration/samples.test.ts` run it.
 */
import { readEntryPoints } from "../entryPoints.ts";
import { formatProblem } from "../Problem.ts";
import type { ToolResult } from "../runTool.ts";
import { compileSamples, samplesOfExports } from "./compileSamples.ts";
import { readPages, readSamples } from "./readSamples.ts";
import { testSolidity } from "./testSolidity.ts";

export async function checkSamples(): Promise<Pick<ToolResult, "ok" | "output">> {
  const pages = readPages();
  const problems = compileSamples([...readSamples(pages, "ts"), ...samplesOfExports(readEntryPoints())]);
  const { ok, output } = await testSolidity(readSamples(pages, "solidity"));
  return {
    ok: ok && problems.length === 0,
    output: [...problems.map(formatProblem), ...(ok ? [] : [output])].join("\n"),
  };
}
