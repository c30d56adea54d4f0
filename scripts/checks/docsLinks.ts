/**
 * Rule: in Markdown, relative links lead to a file that exists and anchors to a heading of it. Paths in code spans exist, from
 * the repository's root or the page's folder. Every `npm run …` that a page names is a script of package.json. Every page of `docs`
 * is in the sidebar.
 */
import { posix } from "node:path";
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

export type DocsInput = {
  pages: readonly SourceFile[];
  /** Every file of the repository. */
  files: readonly string[];
  scripts: readonly string[];
};

const LINK = /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^\[[^\]]+\]:\s+(\S+)/gm;
const PATH = /(?<!`)`([\w.-]+\/[\w./-]+)`(?!`)/g;
const COMMAND = /\bnpm (?:run(?:-script)? ([\w:.-]+)|(test|start)\b)/g;

/** Blanks out code, keeping every character's position, so that links in examples are not followed. */
function withoutCode(text: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, " ");
  return text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, blank).replace(/(`+)[^`\n]+?\1/g, blank);
}

/** The anchor of a heading's text, by GitHub's rules. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** The anchors that a page's headings get, by GitHub's rules: repeated headings are numbered. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  const plain = text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
  for (const [, heading = ""] of plain.matchAll(/^#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    const slug = slugOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const [, id = ""] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Whether a file or folder is part of the repository. */
function exists(path: string, files: readonly string[]): boolean {
  return files.some((file) => file === path || file.startsWith(`${path}/`));
}

/** Skips other folders, such as `waybill/client` or `artifacts/…`. */
function checkPath(page: string, named: string, { files }: DocsInput): string | undefined {
  const path = posix.normalize(named).replace(/\/$/, "");
  const folder = path.split("/")[0] ?? "";
  const places = [path, posix.join(posix.dirname(page), path)];
  if (!exists(folder, files) || places.some((place) => exists(place, files))) return undefined;
  return `names ${path}, which does not exist`;
}

function checkLink(page: string, href: string, { pages, files }: DocsInput): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  const [path = "", anchor] = decodeURI(href).split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path).replace(/\/$/, "");
  if (target !== "." && !exists(target, files)) return `links to ${target}, which does not exist`;
  const targetPage = pages.find((candidate) => candidate.path === target);
  if (anchor === undefined || targetPage === undefined) return undefined;
  return anchorsOf(targetPage.text).has(anchor)
    ? undefined
    : `links to ${target}#${anchor}, which is no heading there`;
}

export function checkDocs(input: DocsInput): Problem[] {
  return input.pages.flatMap(({ path, text }) => {
    const prose = withoutCode(text);
    const links = [...prose.matchAll(LINK), ...prose.matchAll(REFERENCE)].flatMap((match) => {
      const message = checkLink(path, match[1] ?? "", input);
      return message === undefined ? [] : [{ file: path, line: lineAt(text, match.index), message }];
    });
    const paths = [...text.matchAll(PATH)].flatMap((match) => {
      const message = checkPath(path, match[1] ?? "", input);
      return message === undefined ? [] : [{ file: path, line: lineAt(text, match.index), message }];
    });
    const commands = [...text.matchAll(COMMAND)]
      .filter(([, run, short]) => !input.scripts.includes(run ?? short ?? ""))
      .map((match) => ({
        file: path,
        line: lineAt(text, match.index),
        message: `names "${match[0]}", which package.json does not have`,
      }));
    return [...links, ...paths, ...commands];
  });
}

/** Finds pages of `docs` outside of the folders that the sidebar lists. */
export function checkSidebar(pages: readonly SourceFile[], folders: readonly string[]): Problem[] {
  return pages
    .filter(({ path }) => /^docs\/(?!index\.md$)/.test(path))
    .filter(({ path }) => !folders.some((folder) => path.startsWith(`docs/${folder}/`)))
    .map(({ path }) => ({ file: path, message: "is in no folder that the sidebar lists" }));
}
