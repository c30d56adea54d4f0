import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Manifest } from "../readPackages.ts";
import { root } from "../runTool.ts";

type Needs = Pick<Manifest, "dependencies" | "name" | "peerDependencies">;

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

/**
 * Installs a packed package into a project without a registry. Links only its declared dependencies from this repository,
 * unless already installed.
 */
export async function installPackage(project: string, tarball: string, needs: Needs): Promise<void> {
  const modules = join(project, "node_modules");
  const installed = join(modules, needs.name);
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  const packages = [
    ...Object.keys(needs.dependencies),
    ...Object.keys(needs.peerDependencies),
    "@types/node",
  ];
  for (const name of packages) {
    const link = join(modules, name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "junction");
  }
}
