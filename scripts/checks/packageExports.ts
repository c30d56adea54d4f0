/**
 * Rule: everything that package.json promises exists once built, is published, and works where it is installed.
 *
 * The package is packed, looked at by publint and by "are the types wrong", and installed into a project of its own
 * (scripts/checks/consumer), which is type-checked as Node resolves and as bundlers do, and run.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Problem } from "./Problem.ts";
import { buildPackage } from "./package/buildPackage.ts";
import { checkConsumer } from "./package/checkConsumer.ts";
import { installPackage, packPackage } from "./package/installPackage.ts";
import { lintPackage } from "./package/lintPackage.ts";
import { root } from "./runTool.ts";

type Target = string | { [condition: string]: Target };

export type Manifest = {
  name: string;
  exports: Record<string, Target>;
  bin: Record<string, string>;
  files: readonly string[];
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
};

const FILE = "package.json";
const run = promisify(execFile);

/** Every file that the manifest points at; `*` stands for any file of a folder. */
function targetsOf(target: Target): string[] {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(targetsOf);
}

/** Finds promises that a built package does not keep. `has` says whether a file or folder was built. */
export function checkManifest(manifest: Manifest, has: (path: string) => boolean): Problem[] {
  const targets = [
    ...Object.entries(manifest.exports).flatMap(([subpath, target]) =>
      targetsOf(target).map((path) => ({ owner: `exports["${subpath}"]`, path })),
    ),
    ...Object.entries(manifest.bin).map(([name, path]) => ({ owner: `bin.${name}`, path })),
  ];
  return targets.flatMap(({ owner, path }) => {
    const file = path.replace(/^\.\//, "");
    const folder = file.replace(/\/?\*.*$/, "");
    if (!has(folder)) return [{ file: FILE, message: `${owner} points at ${path}, which is not built` }];
    const published =
      file === FILE || manifest.files.some((entry) => file === entry || file.startsWith(`${entry}/`));
    return published ? [] : [{ file: FILE, message: `${owner} points at ${path}, which "files" leaves out` }];
  });
}

async function runBin(folder: string, name: string, path: string): Promise<Problem[]> {
  if (!readFileSync(join(folder, path), "utf8").startsWith("#!/usr/bin/env ")) {
    return [{ file: FILE, message: `bin.${name} does not begin with #!/usr/bin/env` }];
  }
  try {
    await run(process.execPath, [join(folder, path), "--help"], { cwd: folder });
    return [];
  } catch (error) {
    return [{ file: FILE, message: `${name} --help fails:\n${String(error)}` }];
  }
}

/** Builds and packs the package, installs it into a project elsewhere, and tries all of it from there. */
export async function checkPackageExports(): Promise<Problem[]> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, FILE), "utf8"));
  const folder = join(root, "cache", "package-check");
  const build = await buildPackage(folder, manifest.files);
  if (!build.ok)
    return [{ file: "tsconfig.build.json", message: `the package does not build:\n${build.output}` }];

  const broken = checkManifest(manifest, (path) => existsSync(join(folder, path)));
  if (broken.length > 0) return broken;
  const tarball = await packPackage(folder);
  // Outside of the repository, whose own packages would stand in for those that the manifest forgets.
  const project = realpathSync(mkdtempSync(join(tmpdir(), "waybill-consumer-")));
  try {
    await installPackage(project, tarball, manifest);
    const installed = join(project, "node_modules", manifest.name);
    const found = await Promise.all([
      lintPackage(tarball),
      checkConsumer(project, manifest.name),
      ...Object.entries(manifest.bin).map(([name, path]) => runBin(installed, name, path)),
    ]);
    return found.flat();
  } finally {
    rmSync(project, { force: true, recursive: true });
    rmSync(folder, { force: true, recursive: true });
  }
}
