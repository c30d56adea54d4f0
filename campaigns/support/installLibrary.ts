import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { buildPackage } from "../../scripts/checks/package/buildPackage.ts";
import { installPackage, packPackage } from "../../scripts/checks/package/installPackage.ts";
import { readPackages } from "../../scripts/checks/readPackages.ts";

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
