/**
 * Builds the emulator's console from `console/` into `console/dist`: one script, one style, one page.
 *
 * `scripts/setup.mjs` runs it for a clone, `scripts/build/workspace.ts` for the package.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../checks/runTool.ts";

const source = join(root, "console");

export async function buildConsole(folder = join(source, "dist")): Promise<void> {
  await build({
    bundle: true,
    entryPoints: [
      { in: join(source, "main.tsx"), out: "app" },
      { in: join(source, "style.css"), out: "app" },
    ],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    loader: { ".md": "text" },
    logLevel: "warning",
    minify: true,
    outdir: folder,
    target: "es2023",
  });
  copyFileSync(join(source, "index.html"), join(folder, "index.html"));
}

if (import.meta.main) await buildConsole();
