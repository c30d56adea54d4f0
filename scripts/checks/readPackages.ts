import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runTool.ts";

type Target = string | { readonly [condition: string]: Target };

/** Fields of a package.json that the checks use. */
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

/** Reads the packages of the root's `workspaces`, without missing folders. */
export function readPackages(): Package[] {
  const { workspaces }: { workspaces: string[] } = readManifest(".");
  return workspaces
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
}

function readManifest<Contents>(folder: string): Contents {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}
