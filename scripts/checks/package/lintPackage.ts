import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Problem } from "../Problem.ts";
import { runTool } from "../runTool.ts";

const FILE = "package.json";

/** Runs two package linters on a packed package. Checks only ES module resolution. */
export async function lintPackage(tarball: string): Promise<Problem[]> {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const [{ messages, pkg }, types] = await Promise.all([
    publint({ pack: { tarball: buffer }, strict: true }),
    runTool(join("@arethetypeswrong", "cli", "dist", "index.js"), [
      ...["--profile", "esm-only", "--no-definitely-typed", "--no-color", "--no-emoji", "--format", "ascii"],
      tarball,
    ]),
  ]);
  const problems = messages.map((message) => ({
    file: FILE,
    message: `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  }));
  if (!types.ok) problems.push({ file: FILE, message: `are the types wrong:\n${types.output}` });
  return problems;
}
