#!/usr/bin/env node
/**
 * Makes a fresh clone ready to run: installs the dependencies from the lockfile and builds the contracts.
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
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const lockFile = join(root, ".waybill-setup.lock");
const buildStamp = join(root, "cache", "waybill-build.txt");
const pinnedNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const OLDEST_NODE = [20, 0];
const OLDEST_HARDHAT_NODE = [22, 13];
const NETWORK_ERRORS =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const say = (line) => process.stderr.write(`waybill: ${line}\n`);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
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

/** The package.json of the root and of each workspace that exists, with its folder; the root's is "". */
function readManifests() {
  const { workspaces = [] } = readJson(join(root, "package.json"));
  return ["", ...workspaces.filter((folder) => folder !== ".")]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, "package.json")) }));
}

/** Finds dependencies of a package.json that the lockfile lacks, which `npm ci` rejects. */
function findUnlockedDependency(folder, manifest, lockfile) {
  const locked = lockfile.packages?.[folder] ?? {};
  for (const field of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const names = new Set([...Object.keys(manifest[field] ?? {}), ...Object.keys(locked[field] ?? {})]);
    for (const name of names) if (manifest[field]?.[name] !== locked[field]?.[name]) return name;
  }
  return undefined;
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
  const network = result.status !== 0 && NETWORK_ERRORS.exec(result.output);
  if (network) {
    throw new SetupError(
      `npm cannot reach its registry (${network[1]}): check the network and try again.`,
      result.status,
    );
  }
  assertSuccess(result, `npm ci failed with exit code ${result.status}`);
  say(`dependencies installed in ${seconds(start)}`);
}

async function prepareDependencies() {
  const manifests = readManifests();
  const lockfile = readJson(join(root, "package-lock.json"));
  for (const { folder, manifest } of manifests) {
    const unlocked = findUnlockedDependency(folder, manifest, lockfile);
    if (unlocked === undefined) continue;
    throw new SetupError(
      `${join(folder, "package.json")} and package-lock.json disagree about ${unlocked}: run "npm install" and commit both.`,
    );
  }

  await doOnce(
    () => whyInstall(lockfile) === undefined,
    () => {
      install(manifests[0].manifest, whyInstall(lockfile));
      const left = whyInstall(lockfile);
      if (left === undefined) return;
      throw new SetupError(
        `the install finished, yet ${left}; npm's ignore-scripts and omit settings must be off.`,
      );
    },
  );
}

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** Everything the artifacts depend on: sources, settings, and the compiler and libraries by lockfile. */
function hashBuildInputs() {
  const hash = createHash("sha256");
  for (const input of ["contracts", "hardhat.config.ts", "scripts/hardhat", "package-lock.json"]) {
    for (const file of filesUnder(join(root, input))) {
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
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

async function prepareContracts() {
  if (!existsSync(join(root, "contracts"))) return;
  await doOnce(isBuilt, () => {
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
  });
}

/** Extracts the protocol code that the emulator deploys from large development packages. */
async function prepareProtocol(generatorName, artifact) {
  const generator = join(root, "scripts", "generate", generatorName);
  if (!existsSync(generator)) return;
  // An artifact that is older than its generator may be of an earlier one.
  const madeAt = () => statSync(join(root, "artifacts", artifact), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isThere = () => madeAt() >= statSync(generator).mtimeMs;
  await doOnce(isThere, () => {
    assertSuccess(run([pinnedNode, generator]), `artifacts/${artifact} cannot be prepared`);
  });
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

/** Whether the process that wrote a lock has ended. One that is being written has no owner yet. */
function isStale(path) {
  const owner = Number(readFileSync(path, "utf8"));
  if (owner === 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Takes the lock, a file with the owner's process id, or removes that of a process that is gone. */
function takeLock() {
  const aside = `${lockFile}.${process.pid}`;
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw new SetupError(`cannot write in ${root} (${error.code}).`);
  }
  try {
    if (!isStale(lockFile)) return false;
    // Renaming is atomic, so of several waiting set-ups only one gets to remove the lock.
    renameSync(lockFile, aside);
    if (isStale(aside)) rmSync(aside);
    else renameSync(aside, lockFile);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return false;
}

/** Does the work under the lock, unless it is done already or another set-up did it while this one waited. */
async function doOnce(isDone, work) {
  if (isDone()) return;
  for (let isWaiting = false; !takeLock(); isWaiting = true) {
    if (!isWaiting && existsSync(lockFile)) say("waiting for another set-up …");
    await sleep(200);
  }
  try {
    if (!isDone()) work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

try {
  if (!isAtLeast(process.version, OLDEST_NODE)) {
    throw new SetupError(`Node ${process.version} is too old: install Node 20 or newer.`);
  }
  await prepareDependencies();
  await prepareContracts();
  await prepareProtocol("permit2.ts", "Permit2.json");
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(`set-up failed: ${error.message}`);
  process.exitCode = error.exitCode;
}
