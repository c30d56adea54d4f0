import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, runTool, type ToolResult } from "./runTool.ts";

type Target = string | { readonly [condition: string]: Target };

/** Fields of a package.json that the checks use. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
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
  const { workspaces } = readManifest(".");
  return workspaces
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({
      folder,
      manifest: { dependencies: {}, peerDependencies: {}, ...readManifest(folder) },
    }));
}

type Needs = "dependencies" | "peerDependencies";
type Written = Omit<Manifest, Needs> & Partial<Pick<Manifest, Needs>> & { readonly workspaces: string[] };

function readManifest(folder: string): Written {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** Files that npm always publishes. */
const ALWAYS = ["package.json", "LICENSE", "README.md"];

/**
 * Builds a package into a folder of its own, as `npm pack` finds it.
 *
 * Emits types without checking them, which takes a third of the time: the types check covers them.
 */
export async function buildPackage({ folder, manifest }: Package, target: string): Promise<ToolResult> {
  rmSync(target, { force: true, recursive: true });
  mkdirSync(target, { recursive: true });
  const source = join(root, folder);
  const entries = manifest.files.filter((entry) => !/^(?:!|dist$)/.test(entry));
  for (const path of [...ALWAYS, ...entries].flatMap((entry) => globSync(entry, { cwd: source }))) {
    if (existsSync(join(source, path))) cpSync(join(source, path), join(target, path), { recursive: true });
  }
  const dist = join(target, "dist");
  if (folder !== ".")
    return runTool(join("..", "scripts", "build", "workspace.ts"), [folder, dist, "--noCheck"]);
  const tsc = join("typescript", "bin", "tsc");
  return runTool(tsc, ["-p", join(source, "tsconfig.build.json"), "--noCheck", "--outDir", dist]);
}

/** Packs a built package as `npm pack` does; no script of it runs. */
export async function packPackage(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === "win32",
    },
  );
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error("npm packed nothing");
  return join(folder, packed.filename);
}
