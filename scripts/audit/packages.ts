/**
 * Builds and packs the packages in two clean clones of the last commit, and compares the tarballs byte by byte. They hold the
 * bytecode of every published contract.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../checks/runTool.ts";
import { report } from "./tools.ts";

const run = promisify(execFile);
const maxBuffer = 256 * 1024 * 1024;

/** Hashes of the tarballs that a new clone packs, by file name. */
async function packClone(folder: string, name: string): Promise<Map<string, string>> {
  const clone = join(folder, name);
  await run("git", ["clone", "--quiet", root, clone]);
  await run("npm", ["run", "setup"], { cwd: clone, maxBuffer });
  await run("npm", ["pack", "--workspaces", "--include-workspace-root", "--pack-destination", folder], {
    cwd: clone,
    maxBuffer,
  });
  const tarballs = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return new Map(
    tarballs.map((file) => {
      const hash = createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex");
      rmSync(join(folder, file));
      return [file, hash];
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), "waybill-packages-"));
const one = await packClone(folder, "one");
const two = await packClone(folder, "two");
rmSync(folder, { force: true, recursive: true });
const differ = [...one].filter(([file, hash]) => two.get(file) !== hash).map(([file]) => file);
for (const [file, hash] of one) process.stdout.write(`${hash}  ${file}\n`);
report({
  figures: { lines: [`${one.size} packages, equal to the byte from two clean clones.`], name: "packages" },
  problems: [
    ...differ.map((file) => `${file} differs between two clean clones`),
    ...(one.size === two.size && one.size > 0 ? [] : [`${one.size} and ${two.size} packages`]),
  ],
});
