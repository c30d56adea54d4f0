import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Places, tarballsOf } from "./packPackages.ts";
import { runCommand } from "./runCommand.ts";
import { runContainer } from "./runContainer.ts";
import { attempt, type Run } from "./runExample.ts";

type Manifest = {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

/** Versions of the package managers, in the lockfile of the examples. npm is the one that runs. */
export const MANAGERS = { "@yarnpkg/cli-dist": "4.18.1", pnpm: "12.21.0" };
const FLOORS = "floors";
const CONTAINER = "container";

/** Projects with an installation of their own: of each package manager, of the lowest supported versions, and of the Dockerfile. */
export const PROJECTS: readonly string[] = ["npm", "pnpm", "yarn", FLOORS, CONTAINER];
/** Examples whose files and installed packages they use. */
export const PROJECT_EXAMPLES = ["entry-points", "ethers-script", "hardhat"];

/** Installs a project in a folder of its own, without a lockfile, and runs its test. */
export const runProject = (places: Places, name: string): Promise<Run> =>
  attempt(name, async () => {
    if (name === CONTAINER) return runContainer(places);
    return name === FLOORS ? runFloors(places) : runManager(places, name);
  });

/** Creates a project as `npx waybill init` does: by npm for Node's test runner, by the others for mocha. Its test starts the installed command with an SVM chain, too. */
async function runManager({ apart, examples, packed }: Places, manager: string): Promise<string> {
  const folder = join(apart, manager);
  const runner = manager === "npm" ? ["--runner", "node"] : [];
  await runCommand(examples, ["npm", "exec", "--offline", "--", "waybill", "init", folder, ...runner]);
  copyFiles(join(examples, "entry-points", "command.test.ts"), folder);
  const { devDependencies, scripts, ...manifest } = read<Manifest>(folder);
  const { optionalDependencies, version } = read<{ optionalDependencies: object; version: string }>(
    join(examples, "node_modules", "litesvm"),
  );
  write(folder, {
    ...manifest,
    devDependencies: { ...devDependencies, ...tarballsOf(examples, packed), litesvm: version },
    // Yarn resolves the builds for other platforms too. A registry may lack them in this version.
    resolutions: Object.fromEntries(Object.keys(optionalDependencies).map((build) => [build, "*"])),
    scripts: { test: `waybill --version && ${scripts["test"]} && node --test command.test.ts` },
  });
  const registry = await runCommand(folder, ["npm", "config", "get", "registry"]);
  const settings = {
    YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
    YARN_ENABLE_SCRIPTS: "0",
    // Hardhat refuses a project without a folder `node_modules`.
    YARN_NODE_LINKER: "node-modules",
    YARN_NPM_REGISTRY_SERVER: registry.trim(),
  };
  const command = manager === "npm" ? manager : join(examples, "node_modules", ".bin", manager);
  const flags = manager === "yarn" ? [] : ["--ignore-scripts"];
  await runCommand(folder, [command, "install", ...flags], { settings });
  return requireOutput(await runCommand(folder, [command, "test"], { settings }), /\b[1-9]\d* passing\b/);
}

/** Runs examples on the lowest Node and the lowest version of each peer, as JavaScript: that Node runs no TypeScript. */
async function runFloors({ apart, examples, packed }: Places): Promise<string> {
  const folder = join(apart, FLOORS);
  for (const name of ["entry-points", "ethers-script"]) copyFiles(join(examples, name, "*.ts"), folder);
  copyFiles(join(examples, "entry-points", "tsconfig.json"), folder);
  const [node = ""] = packed.map(({ manifest }) => `${lowestOf(manifest.engines.node)}.0`);
  const { devDependencies } = read<Manifest>(join(examples, "entry-points"));
  const peers = packed
    .flatMap(({ manifest }) => Object.entries(manifest.peerDependencies))
    // Its own peers would raise the version of Hardhat. No example imports it.
    .filter(([name]) => name !== "@nomicfoundation/hardhat-ignition");
  write(folder, {
    private: true,
    type: "module",
    allowScripts: { node: true },
    devDependencies: {
      "@types/node": devDependencies["@types/node"],
      typescript: devDependencies["typescript"],
      ...Object.fromEntries(peers.map(([name, range]) => [name, lowestOf(range)])),
      ...tarballsOf(examples, packed),
      node,
    },
    scripts: {
      test: "node --version && tsc --noEmit false --rewriteRelativeImportExtensions && node --test *.test.js",
    },
  });
  await runCommand(folder, ["npm", "install", "--no-audit", "--no-fund"]);
  const output = await runCommand(folder, ["npm", "test"]);
  if (output.includes("ExperimentalWarning"))
    throw new Error("prints an ExperimentalWarning", { cause: output });
  return requireOutput(output, new RegExp(`^v${node}$`, "m"));
}

/** The lowest version of a range with one lower bound. */
const lowestOf = (range: string): string => /\d+(?:\.\d+)+/.exec(range)?.[0] ?? range;

function requireOutput(output: string, wanted: RegExp): string {
  if (!wanted.test(output)) throw new Error(`prints nothing like ${wanted}`, { cause: output });
  return output;
}

function copyFiles(pattern: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of globSync(pattern)) cpSync(file, join(folder, basename(file)));
}

const read = <Type>(folder: string): Type => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const write = (folder: string, manifest: object): void =>
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
