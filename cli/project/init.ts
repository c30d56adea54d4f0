import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { usageError } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";

/** `waybill init`: a project with a validated deposit in a Hardhat test. */
export function initCommand(): CommandUnknownOpts {
  const command = new Command("init")
    .description("create a Hardhat project with a receiver and a test of a validated deposit")
    .argument("[folder]", "an empty or a new folder", ".")
    .addOption(
      new Option("--runner <runner>", "what runs the tests").choices(["mocha", "node"]).default("mocha"),
    )
    .addHelpText(
      "after",
      `
Writes files only: it asks for nothing, and installs nothing. Hardhat's plugin, the emulator and the library come from where this
command was installed from: the registry, or packed files.

Examples:
  waybill init payments && cd payments && npm install && npm test
  waybill init --runner node
  waybill init --json | jq .files`,
    );
  return withWork(command, async ({ result }, { runner }, given) => {
    const { files, folder } = createProject(given, runner === "node");
    const next = [...(given === "." ? [] : [`cd ${quoted(given)}`]), "npm install", "npm test"];
    const shown = [`Created ${files.length} files in ${folder}. Next:`, ...next.map((line) => `  ${line}`)];
    result({ files, folder, next }, shown.join("\n"));
  });
}

/** One word for a shell, never a flag or a command. */
function quoted(folder: string): string {
  const path = folder.startsWith("-") ? `./${folder}` : folder;
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The project that {@link createProject} wrote. */
type CreatedProject = { readonly files: readonly string[]; readonly folder: string };

/** The example that a project begins as: in the repository, and at the same place in the package. */
const example = join(import.meta.dirname, "..", "..", "examples", "hardhat");
/** The example's own files, without what a run of it leaves behind. */
const sources = ["*.{json,md,ts}", "{contracts,test}/**/*.{sol,ts}"];
const ignored = "node_modules\nartifacts\ncache\nemulator.json\n";
/** npm refuses longer names. */
const longestName = 214;
/** What a new folder may hold: a fresh clone is no project yet. */
const harmless = [".git"];

/**
 * Writes the example's files into an empty folder, which it creates.
 *
 * @throws CommandError for a folder that is not empty, or cannot be written.
 */
function createProject(given: string, isForNode: boolean): CreatedProject {
  const folder = resolve(given);
  const found = contentsOf(folder).filter((name) => !harmless.includes(name));
  if (found.length > 0) throw usageError(`${folder} is not empty: it has ${found.slice(0, 3).join(", ")}.`);
  const files = globSync(sources, { cwd: example }).map((path) => path.replaceAll("\\", "/"));
  const textOf = (file: string) => {
    const source = readFileSync(join(example, file), "utf8");
    const text = isForNode ? forNode(file, source) : source;
    return file === "package.json" ? manifestOf(text, nameOf(folder)) : text;
  };
  const texts = [[".gitignore", ignored] as const, ...files.map((file) => [file, textOf(file)] as const)];
  try {
    for (const [file, text] of texts) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
  } catch (cause) {
    throw usageError(`${folder} cannot be written.`, cause);
  }
  return { files: texts.map(([file]) => file).toSorted(), folder };
}

/** Hardhat's runner of Node's own tests. */
const nodeRunner = ["@nomicfoundation/hardhat-node-test-runner", "3.1.0"] as const;

/** The example's file in a project whose tests Node's own runner runs, in place of mocha. */
function forNode(file: string, text: string): string {
  if (file.endsWith(".test.ts")) return `import { describe, it } from "node:test";\n${text}`;
  if (file === "tsconfig.json") return text.replace(', "mocha"', "");
  if (file === "hardhat.config.ts") {
    return text
      .replace('mocha from "@nomicfoundation/hardhat-mocha"', `nodeTests from "${nodeRunner[0]}"`)
      .replace("[mocha,", "[nodeTests,");
  }
  if (file !== "package.json") return text;
  const { devDependencies, scripts, ...manifest } = JSON.parse(text) as Manifest;
  const own = Object.entries(devDependencies).filter(([name]) => !name.includes("mocha"));
  return JSON.stringify({
    ...manifest,
    devDependencies: Object.fromEntries([...own, nodeRunner].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    scripts: { ...scripts, test: scripts["test"]?.replace("mocha", "nodejs") },
  });
}

type Manifest = {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

function manifestOf(text: string, name: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const devDependencies = { ...manifest.devDependencies, ...packageSources() };
  return `${JSON.stringify({ ...manifest, devDependencies, name }, null, 2)}\n`;
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
function packageSources(): Readonly<Record<string, string>> {
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
  const names = ["@waybill/emulator", "@waybill/hardhat", "waybill"];
  return Object.fromEntries(names.map((name) => [name, sourceOf(name)]));
}
