/**
 * `npm run test:browser`: the tests below `test/browser`, in a Chromium that is installed on this machine.
 *
 * The widget's folder is a package of its own, so that its dependencies stay out of this one.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";
import { findChromium } from "./findChromium.ts";
import { installApart, runMocha, runScript } from "./installApart.ts";

const folder = join(root, "test", "browser", "widget");

try {
  console.log(`Chromium: ${findChromium()}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
installApart(folder);
// The example's page is tested with the same dependencies.
cpSync(join(root, "examples", "widget", "page.tsx"), join(folder, ".example", "page.tsx"));
runScript(join("typescript", "bin", "tsc"), ["--project", folder]);
runMocha(["test/browser/*/*.test.ts"]);
