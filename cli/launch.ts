#!/usr/bin/env node
/**
 * `waybill` of the package `waybill`. The command itself is in `@waybill/emulator`: that of the working folder's project is run,
 * else one installed beside this package. Without either, `waybill init` takes it from the registry, because it is typed in an
 * empty folder; everything else says what to install.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const packageName = "@waybill/emulator";

function findCommand(): string | undefined {
  for (const from of [join(process.cwd(), "package.json"), import.meta.filename]) {
    try {
      const manifest = createRequire(from).resolve(`${packageName}/package.json`);
      const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { waybill: string } };
      return join(dirname(manifest), bin.waybill);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** Version of this package, which the command's must match. */
function ownVersion(): string {
  const manifest = createRequire(import.meta.url).resolve("waybill/package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

const given = process.argv.slice(2);
const command = findCommand();
if (command !== undefined) {
  await import(pathToFileURL(command).href);
} else if (given[0] === "init") {
  const wanted = `${packageName}@${ownVersion()}`;
  console.error(`Fetching ${wanted}, which has the command.`);
  const npm = ["exec", "--yes", `--package=${wanted}`, "--", "waybill", ...given];
  const { error, status } = spawnSync("npm", npm, { shell: process.platform === "win32", stdio: "inherit" });
  if (error !== undefined) console.error(`npm cannot be run: ${error.message}`);
  process.exitCode = status ?? 1;
} else {
  console.error(`The command \`waybill\` is in ${packageName}. Install it: npm i -D ${packageName}`);
  process.exitCode = 1;
}
