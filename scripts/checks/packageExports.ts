/**
 * Rule: every export of each package.json is built, published, and works after installation.
 *
 * Packs the packages, lints them by publint and "are the types wrong", and installs them into a separate project
 * (scripts/checks/consumer), which is type-checked under Node and bundler resolution, and run.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Problem } from "./Problem.ts";
import { buildPackage } from "./package/buildPackage.ts";
import { checkCommand } from "./package/checkCommand.ts";
import { checkConsumer } from "./package/checkConsumer.ts";
import { checkInstalled } from "./package/checkInstalled.ts";
import { installPackage, packPackage } from "./package/installPackage.ts";
import { lintPackage } from "./package/lintPackage.ts";
import { type Package, readPackages, targetsOf } from "./readPackages.ts";
import { root } from "./runTool.ts";

const run = promisify(execFile);
const fileOf = ({ folder }: Package): string => join(folder, "package.json");

/** Finds exports that a built package lacks. `has` returns whether a file or folder was built. */
export function checkManifest(published: Package, has: (path: string) => boolean): Problem[] {
  const { bin = {}, exports, files } = published.manifest;
  const file = fileOf(published);
  const targets = [
    ...Object.entries(exports).flatMap(([subpath, target]) =>
      targetsOf(target).map((path) => ({ owner: `exports["${subpath}"]`, path })),
    ),
    ...Object.entries(bin).map(([name, path]) => ({ owner: `bin.${name}`, path })),
  ];
  return targets.flatMap(({ owner, path }) => {
    const target = path.replace(/^\.\//, "");
    if (!has(target.replace(/\/?\*.*$/, "")))
      return [{ file, message: `${owner} points at ${path}, which is not built` }];
    const isPublished =
      target === "package.json" || files.some((entry) => target === entry || target.startsWith(`${entry}/`));
    return isPublished ? [] : [{ file, message: `${owner} points at ${path}, which "files" leaves out` }];
  });
}

/** Finds packages that depend on another version of each other: they share internals. */
export function checkVersions(packages: readonly Package[]): Problem[] {
  return packages.flatMap((dependent) =>
    packages.flatMap(({ manifest: { name, version } }) => {
      const wanted = dependent.manifest.dependencies[name];
      return wanted === undefined || wanted === version
        ? []
        : [{ file: fileOf(dependent), message: `depends on ${name} ${wanted}; here it is ${version}` }];
    }),
  );
}

async function runBin(folder: string, name: string, path: string): Promise<Problem[]> {
  if (!readFileSync(join(folder, path), "utf8").startsWith("#!/usr/bin/env ")) {
    return [{ file: path, message: `bin.${name} does not begin with #!/usr/bin/env` }];
  }
  try {
    await run(process.execPath, [join(folder, path), "--help"], { cwd: folder });
    return [];
  } catch (error) {
    return [{ file: path, message: `${name} --help fails:\n${String(error)}` }];
  }
}

/** Builds, packs and installs one package. */
async function installBuilt(published: Package, folder: string, project: string): Promise<Problem[]> {
  const { manifest } = published;
  const built = join(folder, manifest.name);
  const build = await buildPackage(published, built);
  if (!build.ok) return [{ file: fileOf(published), message: `does not build:\n${build.output}` }];
  const broken = checkManifest(published, (path) => existsSync(join(built, path)));
  if (broken.length > 0) return broken;
  const tarball = await packPackage(built);
  await installPackage(project, tarball, manifest);
  return [...(await lintPackage(tarball)), ...checkInstalled(project, published)];
}

/** Builds, packs and installs the packages into a separate project, and tests them there. */
export async function checkPackageExports(): Promise<Problem[]> {
  const packages = readPackages();
  const folder = join(root, "cache", "package-check");
  // Outside the repository, whose packages would hide missing dependencies.
  const project = realpathSync(mkdtempSync(join(tmpdir(), "waybill-consumer-")));
  try {
    const found = checkVersions(packages);
    for (const published of packages) found.push(...(await installBuilt(published, folder, project)));
    if (found.length > 0) return found;
    found.push(
      ...(await checkConsumer(
        project,
        packages.map(({ manifest }) => manifest.name),
      )),
    );
    for (const { manifest } of packages) {
      const installed = join(project, "node_modules", manifest.name);
      for (const [name, path] of Object.entries(manifest.bin ?? {})) {
        found.push(
          ...(await runBin(installed, name, path)),
          ...(await checkCommand(project, join(installed, path))),
        );
      }
    }
    return found;
  } finally {
    rmSync(project, { force: true, recursive: true });
    rmSync(folder, { force: true, recursive: true });
  }
}
