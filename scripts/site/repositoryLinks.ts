/**
 * Links of a page to files outside `docs` become links to the repository, where GitHub shows them. Others stay, so that VitePress
 * finds dead ones.
 */
import { statSync } from "node:fs";
import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** @param repository The address of the repository, without a slash at its end. */
export function linkRepository(md: MarkdownRenderer, root: string, repository: string): void {
  md.core.ruler.push("repository-links", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || /^(?:[a-z]+:|[/#])/i.test(href)) continue;
      const path = posix.join("docs", posix.dirname(env.relativePath), href);
      if (/^docs\/.*\.md(?:#.*)?$/.test(path)) continue;
      const kind = statSync(posix.join(root, path.replace(/#.*$/, "")), { throwIfNoEntry: false });
      if (kind !== undefined)
        token.attrSet("href", `${repository}/${kind.isDirectory() ? "tree" : "blob"}/main/${path}`);
    }
  });
}
