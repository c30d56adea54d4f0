/** Rule of the built site: its search finds every export by name. Run by `npm run docs`. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readEntryPoints } from "../checks/entryPoints.ts";
import { root } from "../checks/runTool.ts";

type Index = { search(text: string): readonly { readonly id: string }[] };

/** Results among which an export must be; the site shows 16. */
const TOP = 3;

/** Names of exports that the search of `cache/site` does not find. It searches as the page does, by the MiniSearch of VitePress. */
export async function findUnsearchable(): Promise<readonly string[]> {
  const index = await loadIndex();
  const names = new Set(readEntryPoints().flatMap(({ exports }) => exports.map(({ name }) => name)));
  return [...names].filter((name) => {
    const anchor = `#${name.toLowerCase()}`;
    return !index
      .search(name)
      .slice(0, TOP)
      .some(({ id }) => id.endsWith(anchor));
  });
}

async function loadIndex(): Promise<Index> {
  const chunks = join(root, "cache", "site", "assets", "chunks");
  const file = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex"));
  if (file === undefined) throw new Error("the site has no index: run `npm run docs`");
  const { default: json } = await import(pathToFileURL(join(chunks, file)).href);
  const MiniSearch = createRequire(import.meta.resolve("vitepress"))("minisearch");
  // As in VPLocalSearchBox.vue of VitePress.
  return MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    searchOptions: { boost: { text: 2, title: 4, titles: 1 }, fuzzy: 0.2, prefix: true },
    storeFields: ["title", "titles"],
  });
}

if (import.meta.main) {
  const missed = await findUnsearchable();
  if (missed.length > 0) {
    process.stderr.write(`The search does not find ${missed.join(", ")} among its first ${TOP} results.\n`);
    process.exitCode = 1;
  }
}
