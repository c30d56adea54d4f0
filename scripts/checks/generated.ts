/** Rule: committed generated files equal the generator's current output. */
import { join } from "node:path";
import type { Problem, SourceFile } from "./Problem.ts";
import { runTool } from "./runTool.ts";

/** @param command The generator's. */
export function checkGenerated(
  expected: readonly SourceFile[],
  committed: readonly SourceFile[],
  command = "npm run generate",
): Problem[] {
  const found = new Map(committed.map(({ path, text }) => [path, text]));
  const wanted = new Set(expected.map(({ path }) => path));
  const stale = expected
    .filter(({ path, text }) => found.get(path) !== text)
    .map(({ path }) => ({
      file: path,
      message: `${found.has(path) ? "is stale" : "is missing"}: run "${command}" and commit the result`,
    }));
  const strange = committed
    .filter(({ path }) => !wanted.has(path))
    .map(({ path }) => ({ file: path, message: "is not generated: remove it" }));
  return [...stale, ...strange];
}

/** Formats a generated file as Biome formats its kind. */
export async function format({ path, text }: SourceFile): Promise<SourceFile> {
  const biome = join("@biomejs", "biome", "bin", "biome");
  const { ok, stdout, output } = await runTool(biome, ["format", `--stdin-file-path=${path}`], text);
  if (!ok) throw new Error(`Biome cannot format ${path}:\n${output}`);
  return { path, text: stdout };
}
