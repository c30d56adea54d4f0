/** Writes `llms.txt` of the repository and the package: each page with its first sentence, in the order of the site's sidebar. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { SourceFile } from "../checks/Problem.ts";
import { root } from "../checks/runTool.ts";
import { readSidebar } from "../site/sidebar.ts";

export function renderLlms(): SourceFile {
  const groups = readSidebar(join(root, "docs")).filter(({ text }) => text !== "API");
  const sections = groups.flatMap(({ items = [], text }) => [
    `## ${text}`,
    "",
    ...items.map(({ link = "", text: title }) => lineOf(link, title)),
    "",
  ]);
  const head = [
    "# Waybill",
    "",
    `> ${manifest.description}`,
    "",
    "Rules for agents are in [AGENTS.md](AGENTS.md); a first project comes from `npx waybill init`. `npm run generate` writes this file.",
    "",
  ];
  return { path: "llms.txt", text: [...head, ...sections].join("\n") };
}

function lineOf(link: string, title: string): string {
  const path = existsSync(join(root, `docs${link}.md`)) ? `docs${link}.md` : `docs${link}index.md`;
  const text = readFileSync(join(root, path), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
  const first =
    /^# .+\n+(?!```|[|#-])((?:.+\n)+)/m
      .exec(text)?.[1]
      ?.replaceAll("\n", " ")
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim() ?? "";
  const [sentence] = first.split(/(?<=[.:]) /);
  return `- [${title}](${path})${sentence === undefined || sentence === "" ? "" : `: ${sentence.replace(/:$/, ".")}`}`;
}

if (import.meta.main) {
  const { path, text } = renderLlms();
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path} written\n`);
}
