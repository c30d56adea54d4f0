/** Writes the address of the documents that errors name: the repository's folder at the release's tag. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { SourceFile } from "../checks/Problem.ts";
import { root } from "../checks/runTool.ts";

export function renderDocsRoot(): SourceFile {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const text = `/** Folder of this version's documents in the repository. \`npm run generate\` writes it from \`package.json\`. */
export const docsRoot = "${repository}/blob/waybill@${manifest.version}/docs/";
`;
  return { path: "src/errors/docsRoot.ts", text };
}

if (import.meta.main) {
  const { path, text } = renderDocsRoot();
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path} written\n`);
}
