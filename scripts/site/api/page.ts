import type { SourceFile } from "../../checks/Problem.ts";

/** A page below `docs/api`. Its number, if any, orders it in the sidebar. */
export function page(path: string, title: string, body: readonly string[], order?: number): SourceFile {
  const head = order === undefined ? [] : ["---", `order: ${order}`, "---", ""];
  return { path: `docs/api/${path}.md`, text: `${[...head, `# ${title}`, "", ...body].join("\n")}\n` };
}

/** Prose of a docstring as Markdown: links become code, and no character starts a tag or a template. */
export function prose(text: string): string {
  return text
    .replace(/\{@link ([^}|]+?)(?:\|[^}]*)?\}/g, (_, name: string) => `\`${name.trim()}\``)
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "{ {")))
    .join("");
}

/** A fenced block. */
export const block = (language: string, code: string): string[] => [`\`\`\`${language}`, code, "```", ""];

/** A row of a table. */
export const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("\n", " ").replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
