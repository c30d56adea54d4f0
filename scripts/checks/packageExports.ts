/**
 * Rule: every export of each package.json is built and published, and the packed packages are sound.
 *
 * Publint and "are the types wrong" read the tarballs. `npm run test:examples` installs them and runs programs over them.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./Problem.ts";
import { buildPackage } from "./package/buildPackage.ts";
import { checkTarball } from "./package/checkTarball.ts";
import { lintPackage } from "./package/lintPackage.ts";
import { packPackage } from "./package/packPackage.ts";
import { type Package, readPackages, targetsOf } from "./readPackages.ts";
import { root } from "./runTool.ts";

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

/** Builds, packs and unpacks one package. */
async function checkBuilt(published: Package, folder: string): Promise<Problem[]> {
  const built = join(folder, published.manifest.name);
  const build = await buildPackage(published, built);
  if (!build.ok) return [{ file: fileOf(published), message: `does not build:\n${build.output}` }];
  const broken = checkManifest(published, (path) => existsSync(join(built, path)));
  if (broken.length > 0) return broken;
  const tarball = await packPackage(built);
  return [...(await lintPackage(tarball)), ...(await checkTarball(tarball, published))];
}

/** Builds and packs the packages, and checks their tarballs. */
export async function checkPackageExports(): Promise<Problem[]> {
  const packages = readPackages();
  const folder = join(root, "cache", "package-check");
  try {
    const found = checkVersions(packages);
    for (const published of packages) found.push(...(await checkBuilt(published, folder)));
    return found;
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
}
