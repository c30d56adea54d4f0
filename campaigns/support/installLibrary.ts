import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { buildPackage, type Manifest, packPackage, readPackages } from "../../scripts/checks/packages.ts";
import { root } from "../../scripts/checks/runTool.ts";

type Needs = Pick<Manifest, "dependencies" | "name" | "peerDependencies">;

const run = promisify(execFile);

/**
 * Writes a project outside the repository, whose own packages would stand in for those that the manifest forgets.
 *
 * @param files Texts of the project's files by path.
 * @param names Packages of this repository that the project uses as well.
 * @returns Folder of the project, with the packed library installed. The caller removes its parent.
 */
export async function installLibrary(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-project-")));
  const [library] = readPackages();
  if (library === undefined) throw new Error("The repository publishes nothing.");
  const { manifest } = library;
  const built = join(folder, "built");
  const { ok, output } = await buildPackage(library, built);
  expect(ok, output).to.equal(true);
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(names.map((name) => [name, "*"])) };
  const project = join(folder, "project");
  await installPackage(project, await packPackage(built), { ...manifest, dependencies });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

/**
 * Installs a packed package into a project without a registry. Links only its declared dependencies from this repository,
 * unless already installed.
 */
async function installPackage(project: string, tarball: string, needs: Needs): Promise<void> {
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
