import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { completeLockfile, type LockedPackage, type Lockfile } from "../../checks/lockfile.ts";
import type { Manifest } from "../../checks/packages.ts";
import { root } from "../../checks/runTool.ts";
import type { PackedPackage } from "./packPackages.ts";
import { runCommand } from "./runCommand.ts";
import { MANAGERS } from "./runProject.ts";

const EXAMPLES = join(root, "examples");
const LOCKFILE = "package-lock.json";
/** What development in the examples' own folders leaves there. */
const LEFT_OUT = ["node_modules", "artifacts", "cache", "dist", "out"];
/** No example needs a script of a package to be run. */
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

type Locked = LockedPackage & { integrity?: string; dependencies?: Record<string, string> };

/** Versions that this repository tests with, of what the packages expect a project to have: one copy for all examples. */
function versionsOfPeers(packed: readonly PackedPackage[]): Record<string, string> {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const peers = new Set(packed.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies)));
  return Object.fromEntries(Object.entries(devDependencies).filter(([name]) => peers.has(name)));
}

/** Names of the examples that have a test. The browser lane runs the widget's page. */
export function listExamples(): string[] {
  return globSync("*/package.json", { cwd: EXAMPLES })
    .filter((path) => "test" in JSON.parse(readFileSync(join(EXAMPLES, path), "utf8")).scripts)
    .map((path) => path.split(/[\\/]/)[0] ?? "")
    .sort();
}

/** Copies the examples into a folder as npm workspaces of one root, which depends on the tarballs. */
function copyExamples(folder: string, packed: readonly PackedPackage[]): void {
  cpSync(EXAMPLES, folder, {
    filter: (source) => !LEFT_OUT.includes(basename(relative(EXAMPLES, source))),
    recursive: true,
  });
  const tarballs = packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]);
  const workspaces = listExamples();
  const manifest = {
    name: "waybill-examples",
    private: true,
    workspaces,
    dependencies: { ...Object.fromEntries(tarballs), ...MANAGERS, ...versionsOfPeers(packed) },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}

/**
 * Installs the examples from their lockfile.
 *
 * @throws Error if the lockfile is older than a package's dependencies.
 */
export async function installExamples(
  folder: string,
  packed: readonly PackedPackage[],
  names: readonly string[],
): Promise<void> {
  copyExamples(folder, packed);
  if (!existsSync(join(folder, LOCKFILE))) throw new Error(`examples/${LOCKFILE} is missing: ${MEND}`);
  const { packages }: Lockfile = JSON.parse(readFileSync(join(folder, LOCKFILE), "utf8"));
  for (const { manifest } of packed) {
    // npm compares the examples with the lockfile, but not the contents of tarballs.
    const locked: Locked | undefined = packages[`node_modules/${manifest.name}`];
    if (!isDeepStrictEqual(locked?.dependencies ?? {}, manifest.dependencies ?? {}))
      throw new Error(`examples/${LOCKFILE} is older than the dependencies of ${manifest.name}: ${MEND}`);
  }
  const workspaces = names.flatMap((name) => ["--workspace", name]);
  const flags = ["--prefer-offline", "--include-workspace-root", ...workspaces, ...FLAGS];
  await runCommand(folder, ["npm", "ci", ...flags]);
  for (const name of names) linkDependencies(folder, name);
}

/** Links what an example declares into its own `node_modules`, where Solidity tools look: npm hoists all to the root. */
function linkDependencies(folder: string, name: string): void {
  const manifest: Partial<Manifest> & { devDependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, name, "package.json"), "utf8"),
  );
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const link = join(folder, name, "node_modules", dependency);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, "node_modules", dependency), link, "junction");
  }
}

const MEND = "run npm run test:examples -- --lock";

function forgetPackages(path: string, packed: readonly PackedPackage[]): void {
  if (!existsSync(path)) return;
  const lockfile: Lockfile = JSON.parse(readFileSync(path, "utf8"));
  for (const { manifest } of packed) delete lockfile.packages[`node_modules/${manifest.name}`];
  writeFileSync(path, JSON.stringify(lockfile));
}

/** Writes the lockfile of the examples. It has no hashes of the tarballs, which differ from build to build. */
export async function lockExamples(folder: string, packed: readonly PackedPackage[]): Promise<void> {
  copyExamples(folder, packed);
  // npm takes a tarball's entry as it was, as long as its path stays.
  forgetPackages(join(folder, LOCKFILE), packed);
  const flags = ["--package-lock-only", "--omit-lockfile-registry-resolved", ...FLAGS];
  await runCommand(folder, ["npm", "install", ...flags]);
  const lockfile: Lockfile = JSON.parse(readFileSync(join(folder, LOCKFILE), "utf8"));
  for (const { manifest } of packed) {
    const locked: Locked | undefined = lockfile.packages[`node_modules/${manifest.name}`];
    delete locked?.integrity;
  }
  const text = JSON.stringify(completeLockfile(lockfile), null, 2);
  writeFileSync(join(EXAMPLES, LOCKFILE), `${text}\n`);
}
