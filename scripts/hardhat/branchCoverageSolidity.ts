import type { SolidityHooks } from "hardhat/types/hooks";
import {
  COVERED,
  HITS_SOURCE,
  hitsLibrary,
  instrumentBranches,
  instrumentTests,
  TESTS,
} from "../coverage/instrumentBranches.ts";

function instrument(path: string, text: string): string {
  if (COVERED.test(path)) return instrumentBranches({ path, text });
  return TESTS.test(path) ? instrumentTests({ path, text }) : text;
}

export default async (): Promise<Partial<SolidityHooks>> => ({
  async preprocessSolcInputBeforeBuilding(context, solcInput, next) {
    // Hardhat's own handler has instrumented the statements and added its library when this returns.
    const input = await next(context, solcInput);
    if (!context.globalOptions.coverage) return input;
    const coverageSource = Object.keys(input.sources).find((name) =>
      name.startsWith("__NomicFoundationCoverage"),
    );
    if (coverageSource === undefined) throw new Error("Hardhat's coverage library is not among the sources.");
    const sources = Object.entries(input.sources).map(
      ([path, source]) => [path, { ...source, content: instrument(path, source.content) }] as const,
    );
    sources.push([HITS_SOURCE, { content: hitsLibrary(coverageSource) }]);
    return { ...input, sources: Object.fromEntries(sources) };
  },
});
