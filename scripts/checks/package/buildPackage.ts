import { cpSync, existsSync, globSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, runTool, type ToolResult } from "../runTool.ts";

/** What npm publishes whatever `files` says. */
const ALWAYS = ["package.json", "LICENSE", "README.md"];

/**
 * Builds the package into a folder of its own, as `npm pack` finds it.
 *
 * Types are judged by the check of types; here they are only written, which takes a third of the time.
 */
export async function buildPackage(folder: string, files: readonly string[]): Promise<ToolResult> {
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(folder, { recursive: true });
  const entries = files.filter((entry) => !/^(?:!|dist$)/.test(entry));
  for (const path of [...ALWAYS, ...entries].flatMap((entry) => globSync(entry, { cwd: root }))) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const tsc = join("typescript", "bin", "tsc");
  return runTool(tsc, ["-p", "tsconfig.build.json", "--noCheck", "--outDir", join(folder, "dist")]);
}
