#!/usr/bin/env node
/**
 * Makes a fresh clone ready to run: installs the dependencies from the lockfile, builds the contracts and the
 * emulator's console.
 *
 * `npm run demo`, `npm test` and the other commands call it first. With nothing to do it takes a fraction of
 * a second. It uses Node 20's built-in modules only, because it runs before anything is installed.
 *
 * Hardhat needs Node 22.13 or newer, and npm running under an older Node silently leaves out Hardhat's native
 * binding (an optional dependency whose `engines` does not match). So the install itself runs under the
 * `node` package that package.json pins, and later scripts find the same binary in node_modules/.bin.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const buildStamp = join(root, "cache", "waybill-build.txt");
const pinnedNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const OLDEST_NODE = [20, 0];
const OLDEST_HARDHAT_NODE = [22, 13];
const BUILD_FILES = ["hardhat.config.ts", "package-lock.json"];

class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const say = (line) => process.stderr.write(`waybill: ${line}\n`);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const seconds = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

function isAtLeast(version, [major, minor]) {
  const [actualMajor = 0, actualMinor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}

function versionOf(nodeCommand, env = process.env) {
  const result = spawnSync(nodeCommand, ["--version"], { encoding: "utf8", env });
  return result.status === 0 ? result.stdout.trim() : "v0.0";
}

/** Compares npm's own record of what it installed with the lockfile. */
function findStalePackage(lockfile) {
  const installed = readJson(join(modules, ".package-lock.json")).packages ?? {};
  for (const [path, { version, optional, devOptional }] of Object.entries(lockfile.packages ?? {})) {
    if (path === "" || (installed[path] === undefined && (optional || devOptional))) continue;
    if (installed[path]?.version !== version) return path.replace(/^.*node_modules\//, "");
  }
  return undefined;
}

function hasNativeBinding() {
  const scope = join(modules, "@nomicfoundation");
  const prefix = `edr-${process.platform}-${process.arch}`;
  return existsSync(scope) && readdirSync(scope).some((name) => name.startsWith(prefix));
}

/** @returns why the dependencies have to be installed, or undefined when they are fine. */
function whyInstall(lockfile) {
  if (!existsSync(modules)) return "node_modules is missing";
  if (!existsSync(join(modules, ".package-lock.json"))) return "the last install did not finish";
  const stale = findStalePackage(lockfile);
  if (stale !== undefined) return `${stale} differs from package-lock.json`;
  if (!hasNativeBinding())
    return `Hardhat's native binding for ${process.platform}-${process.arch} is missing`;
  if (!existsSync(pinnedNode)) return "node_modules/.bin/node is missing";
  if (!isAtLeast(versionOf(pinnedNode), OLDEST_HARDHAT_NODE)) return "node_modules/.bin/node does not run";
  return undefined;
}

/** The environment without this folder's own binaries, which the install is about to delete. */
function environmentOutsideModules() {
  const env = { ...process.env };
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const own = modules + sep;
  env[key] = (env[key] ?? "")
    .split(delimiter)
    .filter((entry) => !`${entry}${sep}`.startsWith(own))
    .join(delimiter);
  return env;
}

function install(manifest, reason) {
  const env = environmentOutsideModules();
  // Development and optional packages are what the commands run on, whatever NODE_ENV says.
  const flags = "--include=dev --include=optional --no-audit --no-fund --loglevel=error";
  const ci = ["npm", "ci", ...flags.split(" ")];
  const version = manifest.devDependencies.node;
  const command = isAtLeast(versionOf("node", env), OLDEST_HARDHAT_NODE)
    ? ci
    : ["npx", "--yes", "--loglevel=error", "--package", `node@${version}`, "--", ...ci];

  say(`installing the dependencies (${reason}) …`);
  const start = Date.now();
  const result = run(command, env);
  assertSuccess(result, `npm ci failed with exit code ${result.status}`);
  say(`dependencies installed in ${seconds(start)}`);
}

function prepareDependencies() {
  const manifest = readJson(join(root, "package.json"));
  const lockfile = readJson(join(root, "package-lock.json"));
  const reason = whyInstall(lockfile);
  if (reason === undefined) return;
  install(manifest, reason);
  const left = whyInstall(lockfile);
  if (left === undefined) return;
  throw new SetupError(
    `the install finished, yet ${left}; npm's ignore-scripts and omit settings must be off.`,
  );
}

/** Everything the artifacts depend on: sources, settings, and the compiler and libraries by lockfile. */
function hashBuildInputs() {
  return hashFiles(["contracts", "scripts/hardhat"], BUILD_FILES);
}

function hashFiles(folders, files) {
  const hash = createHash("sha256");
  const filesIn = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith(join("console", "dist")))
      .sort();
  for (const file of [...folders.flatMap(filesIn), ...files]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function isBuilt() {
  const outputs = [
    buildStamp,
    join(root, "artifacts", "contracts"),
    join(root, "typechain-types", "index.ts"),
  ];
  return outputs.every((path) => existsSync(path)) && readFileSync(buildStamp, "utf8") === hashBuildInputs();
}

function prepareContracts() {
  if (!existsSync(join(root, "contracts")) || isBuilt()) return;
  const hash = hashBuildInputs();
  say("building the contracts …");
  const start = Date.now();
  rmSync(buildStamp, { force: true });
  const hardhat = join(modules, "hardhat", "dist", "src", "cli.js");
  const env = { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" };
  assertSuccess(run([pinnedNode, hardhat, "build", "--no-tests"], env), "the contracts do not build");
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, hash);
  say(`contracts built in ${seconds(start)}`);
}

/** Bundles the emulator's console, which shows the library's verdicts and a page of the guide. */
function prepareConsole() {
  const builder = join("scripts", "build", "console.ts");
  if (!existsSync(join(root, builder))) return;
  const files = [builder, "docs/reference/failures.md", "package-lock.json"];
  const hash = hashFiles(["console", "src"], files);
  const stamp = join(root, "console", "dist", "stamp.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  assertSuccess(run([pinnedNode, join(root, builder)]), "the console does not build");
  writeFileSync(stamp, hash);
}

/** Extracts the protocol code that the emulator deploys from large development packages. */
function prepareProtocol(generatorName, artifact) {
  const generator = join(root, "scripts", "generate", generatorName);
  if (!existsSync(generator)) return;
  // An artifact that is older than its generator may be of an earlier one.
  const made = statSync(join(root, "artifacts", artifact), { throwIfNoEntry: false });
  if ((made?.mtimeMs ?? 0) >= statSync(generator).mtimeMs) return;
  assertSuccess(run([pinnedNode, generator]), `artifacts/${artifact} cannot be prepared`);
}

function assertSuccess({ status, output }, failure) {
  if (status === 0) return;
  process.stderr.write(output);
  throw new SetupError(`${failure}; its own words are above.`, status);
}

/** Runs a command to its end, keeping its output for the case that it fails. */
function run([command, ...parameters], env = process.env) {
  const { error, status, stdout, stderr } = spawnSync(command, parameters, {
    cwd: root,
    encoding: "utf8",
    env,
    maxBuffer: 256 * 1024 * 1024,
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === "win32" && !command.includes(sep),
  });
  if (error !== undefined) {
    const reason =
      error.code === "ENOENT" ? "was not found on the PATH; install Node with npm" : error.message;
    throw new SetupError(`${command} ${reason}.`);
  }
  return { status: status ?? 1, output: stdout + stderr };
}

try {
  if (!isAtLeast(process.version, OLDEST_NODE)) {
    throw new SetupError(`Node ${process.version} is too old: install Node 20 or newer.`);
  }
  prepareDependencies();
  prepareContracts();
  prepareProtocol("permit2.ts", "Permit2.json");
  prepareConsole();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(`set-up failed: ${error.message}`);
  process.exitCode = error.exitCode;
}
