import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Packs a built package as `npm pack` does; no script of it runs. */
export async function packPackage(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error("npm packed nothing");
  return join(folder, packed.filename);
}
