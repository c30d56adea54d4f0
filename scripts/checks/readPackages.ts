import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runTool.ts";

type Target = string | { readonly [condition: string]: Target };

/** What the checks read of a package.json. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** One of the packages that this repository publishes. */
export type Package = {
  /** From the repository's root: `.` or `emulator`. */
  readonly folder: string;
  readonly manifest: Manifest;
};

/** The packages of the root's `workspaces`; those whose folder does not exist yet are left out. */
export function readPackages(): Package[] {
  const { workspaces }: { workspaces: string[] } = readManifest(".");
  return workspaces
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
}

function readManifest<Contents>(folder: string): Contents {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** Every file that a target of `exports` points at; `*` stands for any file of a folder. */
export function targetsOf(target: Target): string[] {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(targetsOf);
}
