/**
 * Rule: everything that package.json promises exists once built, is published, and can be imported.
 *
 * The package is built into a folder of its own and imported by name from there, as a user would.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Problem } from "./Problem.ts";
import { root, runTool } from "./runTool.ts";

type Target = string | { [condition: string]: Target };

export type Manifest = {
  name: string;
  exports: Record<string, Target>;
  bin: Record<string, string>;
  files: readonly string[];
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

async function importSubpath(folder: string, specifier: string): Promise<Problem[]> {
  const code = `await import(${JSON.stringify(specifier)})`;
  try {
    await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder });
    return [];
  } catch (error) {
    return [{ file: FILE, message: `${specifier} cannot be imported:\n${String(error)}` }];
  }
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

/** Builds the package under `cache/`, from where its dependencies still resolve, and tries all of it. */
export async function checkPackageExports(): Promise<Problem[]> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, FILE), "utf8"));
  const folder = join(root, "cache", "package-check");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of [FILE, ...manifest.files.filter((entry) => !/^(?:!|dist$)/.test(entry))]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }

  const tsc = join("typescript", "bin", "tsc");
  const build = await runTool(tsc, ["-p", "tsconfig.build.json", "--outDir", join(folder, "dist")]);
  if (!build.ok)
    return [{ file: "tsconfig.build.json", message: `the package does not build:\n${build.output}` }];

  const broken = checkManifest(manifest, (path) => existsSync(join(folder, path)));
  if (broken.length > 0) return broken;
  const subpaths = Object.keys(manifest.exports).filter(
    (path) => !path.includes("*") && path !== "./package.json",
  );
  const attempts = await Promise.all([
    ...subpaths.map((subpath) => importSubpath(folder, subpath.replace(/^\./, manifest.name))),
    ...Object.entries(manifest.bin).map(([name, path]) => runBin(folder, name, path)),
  ]);
  rmSync(folder, { recursive: true, force: true });
  return attempts.flat();
}
