import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { usageError } from "../terminal/CommandError.ts";

/** The project that {@link createProject} wrote. */
export type CreatedProject = { readonly files: readonly string[]; readonly folder: string };

const template = join(import.meta.dirname, "template");
/** npm refuses longer names. */
const longestName = 214;
const suffix = ".template";
/** What a new folder may hold: a fresh clone is no project yet. */
const harmless = [".git"];

/**
 * Writes the template's files into an empty folder, which it creates.
 *
 * @throws CommandError for a folder that is not empty, or cannot be written.
 */
export function createProject(given: string): CreatedProject {
  const folder = resolve(given);
  const found = contentsOf(folder).filter((name) => !harmless.includes(name));
  if (found.length > 0) throw usageError(`${folder} is not empty: it has ${found.slice(0, 3).join(", ")}.`);
  const values: Readonly<Record<string, string>> = { ...packageSources(), name: nameOf(folder) };
  const paths = globSync(`**/*${suffix}`, { cwd: template }).toSorted();
  const files = paths.map((path) =>
    path
      .replaceAll("\\", "/")
      .slice(0, -suffix.length)
      .replace(/^gitignore$/, ".gitignore"),
  );
  try {
    for (const [i, file] of files.entries()) {
      const text = readFileSync(join(template, paths[i] ?? ""), "utf8");
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(
        join(folder, file),
        text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole),
        {
          flag: "wx",
        },
      );
    }
  } catch (cause) {
    throw usageError(`${folder} cannot be written.`, cause);
  }
  return { files, folder };
}

function contentsOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw usageError(`${folder} is no folder, or cannot be read.`, error);
  }
}

/** A valid name for npm. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .slice(0, longestName)
    .replace(/^-+|-+$/g, "");
  return name === "" ? "payments" : name;
}

/** Version of each package, or the packed file that npm installed it from. */
function packageSources(): { emulator: string; hardhat: string; waybill: string } {
  const manifest = createRequire(import.meta.url).resolve("waybill/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const modules = dirname(dirname(manifest));
  const lockfile = join(modules, ".package-lock.json");
  const { packages = {} } = existsSync(lockfile)
    ? (JSON.parse(readFileSync(lockfile, "utf8")) as { packages?: Record<string, { resolved?: string }> })
    : {};
  const sourceOf = (name: string) => {
    const resolved = packages[`node_modules/${name}`]?.resolved ?? "";
    const file = /^file:(.+\.tgz)$/.exec(resolved)?.[1];
    return file === undefined ? `^${version}` : `file:${resolve(dirname(modules), file)}`;
  };
  return {
    emulator: sourceOf("@waybill/emulator"),
    hardhat: sourceOf("@waybill/hardhat"),
    waybill: sourceOf("waybill"),
  };
}
