/** Writes the generated pages of the site into `docs/api`, which git ignores. `npm run docs` calls it first. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createProgram } from "../../cli/createProgram.ts";
import manifest from "../../package.json" with { type: "json" };
import { readEntryPoints } from "../checks/entryPoints.ts";
import { root } from "../checks/runTool.ts";
import { renderCommands } from "./api/commands.ts";
import { renderContracts } from "./api/contracts.ts";
import { renderHttp } from "./api/http.ts";
import { renderLibrary } from "./api/library.ts";

const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const pages = [
  ...renderLibrary(readEntryPoints(), repository),
  ...renderContracts(root, repository),
  ...renderHttp(JSON.parse(readFileSync(join(root, "api/openapi.json"), "utf8"))),
  renderCommands(createProgram()),
];
rmSync(join(root, "docs/api"), { force: true, recursive: true });
for (const { path, text } of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
process.stdout.write(`${pages.length} pages written\n`);
