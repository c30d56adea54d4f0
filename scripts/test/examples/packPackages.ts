import { cpSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  buildPackage,
  type Manifest,
  type Package,
  packPackage,
  readPackages,
} from "../../checks/packages.ts";
import { root } from "../../checks/runTool.ts";

/** A tarball of this repository's. */
export type PackedPackage = {
  readonly manifest: Manifest;
  /** Path below the folder, with forward slashes. */
  readonly tarball: string;
};

/** Where the packages are. */
export type Places = {
  /** The examples with what they installed. */
  readonly examples: string;
  /** A folder that sees no other `node_modules`. */
  readonly apart: string;
  readonly packed: readonly PackedPackage[];
};

/** The packed packages by name, as npm installs them. */
export const tarballsOf = (
  examples: string,
  packed: readonly PackedPackage[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    packed.map(({ manifest, tarball }) => [manifest.name, `file:${join(examples, tarball)}`]),
  );

/** Builds and packs the packages into `packages` of a folder. @throws Error if one does not build. */
export function packPackages(folder: string): Promise<PackedPackage[]> {
  return packEach(folder, async (published, target) => {
    const { ok, output } = await buildPackage(published, target);
    if (!ok) throw new Error(`${published.manifest.name} does not build:\n${output}`);
  });
}

/** Packs the manifests alone, which is what a lockfile depends on. */
export function packManifests(folder: string): Promise<PackedPackage[]> {
  return packEach(folder, async (published, target) => {
    cpSync(join(root, published.folder, "package.json"), join(target, "package.json"));
  });
}

type Fill = (published: Package, target: string) => Promise<void>;

function packEach(folder: string, fill: Fill): Promise<PackedPackage[]> {
  const pack = async (published: Package): Promise<PackedPackage> => {
    const { manifest } = published;
    const target = join(folder, "packages", manifest.name);
    mkdirSync(target, { recursive: true });
    await fill(published, target);
    const tarball = `packages/${manifest.name.replace("@", "").replace("/", "-")}.tgz`;
    renameSync(await packPackage(target), join(folder, tarball));
    return { manifest, tarball };
  };
  return Promise.all(readPackages().map(pack));
}
