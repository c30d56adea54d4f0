/** The site's sidebar: a group for each folder of `docs`, with its pages by the number `order` of their frontmatter, then by title. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type SidebarItem = { text: string; link?: string; items?: SidebarItem[] };

/** Titles of the groups, by folder and in their order. The sidebar lists the pages of these folders only. */
export const GROUPS: Readonly<Record<string, string>> = {
  start: "Start",
  receivers: "Receivers",
  "how-to": "How-to",
  reference: "Reference",
  api: "API",
  explanation: "Explanation",
};

/** Titles of folders within a group. */
const FOLDERS: Readonly<Record<string, string>> = {
  contracts: "Contracts",
  http: "HTTP",
  library: "Library",
};

/** Pages without a number stand after the others. */
const LAST = 1000;

export function readSidebar(docs: string): SidebarItem[] {
  return Object.entries(GROUPS).map(([folder, text]) => ({ items: readFolder(docs, folder), text }));
}

function readFolder(docs: string, folder: string): SidebarItem[] {
  const names = existsSync(join(docs, folder)) ? readdirSync(join(docs, folder)) : [];
  return names
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      if (statSync(join(docs, path)).isDirectory())
        return [
          {
            item: { items: readFolder(docs, path), text: FOLDERS[name] ?? name },
            order: LAST + 1,
          },
        ];
      return name.endsWith(".md") ? [readPage(docs, path)] : [];
    })
    .sort((a, b) => a.order - b.order || a.item.text.localeCompare(b.item.text))
    .map(({ item }) => item);
}

function readPage(docs: string, path: string): { item: SidebarItem; order: number } {
  const text = readFileSync(join(docs, path), "utf8");
  const order = /^---\n(?:.*\n)*?order: (\d+)\n/.exec(text)?.[1];
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? path;
  const link = `/${path.replace(/(?:index)?\.md$/, "")}`;
  return { item: { link, text: title }, order: order === undefined ? LAST : Number(order) };
}
