/** Draws the Mermaid blocks of a page at build time, in the site's colours. GitHub draws them itself. */
import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

export function drawDiagrams(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    if (info.trim() !== "mermaid") return fence?.(tokens, index, options, env, self) ?? "";
    // Its style names a font of another host. The theme's style sheet has the site's own.
    const drawing = renderMermaidSVG(content)
      .replace(/<style>.*?<\/style>/s, "")
      .replace(/ style="[^"]*"/, "");
    return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram" v-pre>${drawing}</div>\n`;
  };
}
