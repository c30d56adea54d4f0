/**
 * Rule: every export of each package.json is built and published, and the packed packages are sound.
 *
 * Publint and "are the types wrong" read the tarballs. `npm run test:examples` installs them and runs programs over them.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./Problem.ts";
import { buildPackage } from "./package/buildPackage.ts";
import { checkTarball } from "./package/checkTarball.ts";
import { lintPackage } from "./package/lintPackage.ts";
import { packPackage } from "./package/packPackage.ts";
import { type Package, readPackages } from "./readPackages.ts";
import { root } from "./runTool.ts";

const fileOf = ({ folder }: Package): string => join(folder, "package.json");

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
