import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "./Problem.ts";
import { root } from "./runTool.ts";

/** Every file that is, or would be, committed; relative to the root, with forward slashes. */
export function listFiles(): string[] {
  const output = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = output.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  return [...new Set(paths)].sort();
}

/** Reads those of the repository's files whose names end in one of the extensions. */
export function readFiles(...extensions: readonly string[]): SourceFile[] {
  return listFiles()
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
