import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type Element, Window } from "happy-dom";

/** Bundles the page for browsers, and runs it on a document without a browser. */
export async function openPage(globals: object) {
  const { outputFiles } = await build({
    bundle: true,
    define: { "process.env.NODE_ENV": '"production"' },
    entryPoints: [join(import.meta.dirname, "..", "main.tsx")],
    format: "esm",
    jsx: "automatic",
    logLevel: "warning",
    target: "es2022",
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  const window = new Window({ url: "https://app.example/" });
  Object.assign(window, globals);
  const { document } = window;
  document.body.innerHTML = `<div id="root"></div>`;
  const { CustomEvent, Event, localStorage } = window;
  Object.assign(globalThis, { CustomEvent, document, Event, localStorage, window });
  const folder = await mkdtemp(join(tmpdir(), "react-page-"));
  await writeFile(join(folder, "main.mjs"), code);
  await import(pathToFileURL(join(folder, "main.mjs")).href);
  await rm(folder, { recursive: true });

  /** Waits for an element that a selector and a text match. */
  async function find(selector: string, text: RegExp): Promise<Element> {
    for (let waited = 0; waited < 20_000; waited += 20) {
      const elements = [...document.querySelectorAll(selector)];
      const found = elements.find(({ textContent }) => text.test(textContent));
      if (found !== undefined) return found;
      await sleep(20);
    }
    throw new Error(`No ${selector} with ${text}: ${document.body.innerHTML}`);
  }
  return {
    /** Clicks on an enabled button. */
    click: async (text: RegExp) => {
      const button = await find("button:not([disabled])", text);
      button.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    },
    code,
    find,
  };
}
