import { cpSync, existsSync, globSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Package } from "../readPackages.ts";
import { root, runTool, type ToolResult } from "../runTool.ts";

/** Files that npm always publishes. */
const ALWAYS = ["package.json", "LICENSE", "README.md"];

/**
 * Builds a package into a folder of its own, as `npm pack` finds it.
 *
 * Emits types without checking them, which takes a third of the time: the types check covers them.
 */
export async function buildPackage({ folder, manifest }: Package, target: string): Promise<ToolResult> {
  rmSync(target, { force: true, recursive: true });
  mkdirSync(target, { recursive: true });
  const source = join(root, folder);
  const entries = manifest.files.filter((entry) => !/^(?:!|dist$)/.test(entry));
  for (const path of [...ALWAYS, ...entries].flatMap((entry) => globSync(entry, { cwd: source }))) {
    if (existsSync(join(source, path))) cpSync(join(source, path), join(target, path), { recursive: true });
  }
  const dist = join(target, "dist");
  if (folder !== ".")
    return runTool(join("..", "scripts", "build", "workspace.ts"), [folder, dist, "--noCheck"]);
  const tsc = join("typescript", "bin", "tsc");
  return runTool(tsc, ["-p", join(source, "tsconfig.build.json"), "--noCheck", "--outDir", dist]);
}
