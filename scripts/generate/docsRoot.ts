/**
 * Writes the release's tag: into the address of the documents that errors name, and into the guides. changesets tags each package
 * of a workspace as `name@version`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { SourceFile } from "../checks/Problem.ts";
import { readFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";

/** A version of the library in a guide: `waybill@0.1.0` is the tag, `waybill~0.1.0` and `waybill-0.1.0` are soldeer's. */
const VERSION = /\bwaybill([@~-])\d+\.\d+\.\d+(?:-[\w.]+)?/g;
/** Another tag of this repository. */
const TAG = /(waybill\.git --tag )(?!waybill@)\S+/g;

export function renderDocsRoot(): SourceFile[] {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const tag = `waybill@${manifest.version}`;
  const text = `/** Folder of this version's documents in the repository. \`npm run generate\` writes it from \`package.json\`. */
export const docsRoot = "${repository}/blob/${tag}/docs/";
`;
  const guides = readFiles(".md")
    .filter(({ path }) => path.startsWith("docs/"))
    .map(({ path, text: guide }) => ({
      path,
      text: guide.replace(VERSION, `waybill$1${manifest.version}`).replace(TAG, `$1${tag}`),
    }));
  return [{ path: "src/errors/docsRoot.ts", text }, ...guides];
}

if (import.meta.main) {
  const written = renderDocsRoot();
  for (const { path, text } of written) writeFileSync(join(root, path), text);
  process.stdout.write(`${written[0]?.path} and the guides written\n`);
}
