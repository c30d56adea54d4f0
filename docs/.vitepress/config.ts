/** The documentation site: `npm run docs` builds it into `cache/site`, `npm run docs:dev` serves it on loopback. */
import { join } from "node:path";
import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";
import manifest from "../../package.json" with { type: "json" };
import { slugOf } from "../../scripts/checks/docsLinks.ts";
import { drawDiagrams } from "../../scripts/site/diagrams.ts";
import { linkRepository } from "../../scripts/site/repositoryLinks.ts";
import { readSidebar } from "../../scripts/site/sidebar.ts";

const docs = join(import.meta.dirname, "..");
const groups = readSidebar(docs);
const api = groups.filter(({ text }) => text === "API");
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");

export default defineConfig({
  title: "Waybill",
  description: manifest.description,
  lang: "en",
  cacheDir: "../cache/vitepress",
  outDir: "../cache/site",
  lastUpdated: false,
  markdown: {
    anchor: { slugify: slugOf },
    languageAlias: { sol: "solidity" },
    theme: { dark: "github-dark-high-contrast", light: "github-light-high-contrast" },
    config: (md) => {
      linkRepository(md, join(docs, ".."), repository);
      drawDiagrams(md);
    },
  },
  themeConfig: {
    nav: groups.map(({ items = [], text }) => ({ link: items[0]?.link ?? "/", text })),
    outline: [2, 3],
    search: {
      options: {
        translations: { button: { buttonAriaLabel: "Search (Ctrl K)", buttonText: "Search (Ctrl K)" } },
      },
      provider: "local",
    },
    // The generated pages are many: their list shows beside them alone.
    sidebar: { "/": groups.filter((group) => !api.includes(group)), "/api/": api },
    socialLinks: [{ icon: "github", link: repository }],
  },
  vite: {
    // The index of the search is one file, which a page loads with the first search.
    build: { chunkSizeWarningLimit: 4_000 },
    plugins: [llmstxt({ ignoreFiles: ["reference/claims.md", "reference/specification.md"] })],
  },
});
