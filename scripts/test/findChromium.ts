import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * The browser: `CHROMIUM_PATH`, or the first one on the path.
 *
 * @throws Error that says how to install one.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const given = environment["CHROMIUM_PATH"];
  if (given !== undefined && existsSync(given)) return given;
  const folders = (environment["PATH"] ?? "").split(delimiter);
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  throw new Error(
    "There is no Chromium. Install it with `apt-get install -y --no-install-recommends chromium`, or name one in CHROMIUM_PATH.",
  );
}
