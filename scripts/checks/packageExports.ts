/**
 * Rule: every export of each package.json is built and published as the committed reports say, and the packed packages are sound.
 *
 * Publint and "are the types wrong" read the tarballs. `npm run test:examples` installs them and runs programs over them.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { API_FOLDER, describeSchemas, reportApi } from "./apiReport.ts";
import { checkDocs } from "./docsLinks.ts";
import { checkGenerated } from "./generated.ts";
import type { Problem } from "./Problem.ts";
import { buildPackage, type Package, packPackage, readPackages } from "./packages.ts";
import { readFiles } from "./repository.ts";
import { root, runTool } from "./runTool.ts";

const REWRITE = "npm run check -- --fix --only exports";

const fileOf = ({ folder }: Package): string => join(folder, "package.json");

/** Finds packages that depend on another version of each other: they share internals. */
function checkVersions(packages: readonly Package[]): Problem[] {
  return packages.flatMap((dependent) =>
    packages.flatMap(({ manifest: { name, version } }) => {
      const { dependencies, peerDependencies } = dependent.manifest;
      const wanted = dependencies[name] ?? peerDependencies[name];
      return wanted === undefined || (wanted === `^${version}` && dependencies[name] === undefined)
        ? []
        : [{ file: fileOf(dependent), message: `needs the peer ${name} ^${version}, and has ${wanted}` }];
    }),
  );
}

/** Packs, unpacks and checks a built package. */
async function checkBuilt(published: Package, built: string): Promise<Problem[]> {
  const tarball = await packPackage(built);
  return [...(await lintPackage(tarball)), ...(await checkTarball(tarball, published))];
}

/** Builds and packs the packages, and checks their tarballs and reports. @param fix Writes the reports. */
export async function checkPackageExports(fix = false): Promise<Problem[]> {
  const packages = readPackages();
  const folder = join(root, "cache", "package-check");
  try {
    const found = checkVersions(packages);
    // Outside `node_modules`, where API Extractor reports no declarations. The links are how the packages import each other.
    const places = packages.map((published) => {
      const { name } = published.manifest;
      return { built: join(folder, "built", name), link: join(folder, "node_modules", name), published };
    });
    const builds = await Promise.all(places.map(({ built, published }) => buildPackage(published, built)));
    const failed = builds.findIndex(({ ok }) => !ok);
    if (failed >= 0)
      throw new Error(`${packages[failed]?.manifest.name} does not build:\n${builds[failed]?.output}`);
    for (const { built, link } of places) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(built, link, "junction");
    }
    const [{ file, names }, ...problems] = await Promise.all([
      describeSchemas(),
      ...places.map(({ built, published }) => checkBuilt(published, built)),
    ]);
    found.push(...problems.flat());
    const reports = [file, ...places.map(({ built, published }) => reportApi(published, built, names))];
    if (fix) for (const { path, text } of reports) writeFileSync(join(root, path), text);
    // The document of the emulator's API there has a check of its own.
    const committed = readFiles(".api.md", "schemas.json").filter(({ path }) =>
      path.startsWith(`${API_FOLDER}/`),
    );
    return [...found, ...checkGenerated(reports, committed, REWRITE)];
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
}

/** Runs two package linters on a packed package. Checks only ES module resolution. */
async function lintPackage(tarball: string): Promise<Problem[]> {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const [{ messages, pkg }, types] = await Promise.all([
    publint({ pack: { tarball: buffer }, strict: true }),
    runTool(join("@arethetypeswrong", "cli", "dist", "index.js"), [
      ...["--profile", "esm-only", "--no-definitely-typed", "--no-color", "--no-emoji", "--format", "ascii"],
      tarball,
    ]),
  ]);
  const problems = messages.map((message) => ({
    file: "package.json",
    message: `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  }));
  if (!types.ok) problems.push({ file: "package.json", message: `are the types wrong:\n${types.output}` });
  return problems;
}

/** Maximum unpacked sizes of `npm i waybill viem` without viem: the package alone, and with its dependencies. */
const LIBRARY_BYTES = 4_300_000;
const LIBRARY_AND_DEPENDENCIES_BYTES = 10_500_000;

const bytesOf = (folder: string): number =>
  globSync("**/*", { cwd: folder }).reduce((sum, path) => {
    const stats = statSync(join(folder, path));
    return sum + (stats.isFile() ? stats.size : 0);
  }, 0);

/** Unpacks a tarball next to it, and checks licence, links and size. */
async function checkTarball(tarball: string, { folder, manifest }: Package): Promise<Problem[]> {
  const unpacked = `${tarball}.unpacked`;
  mkdirSync(unpacked);
  execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  const file = join(folder, "package.json");
  const problems = checkLinks(unpacked, folder);
  if (!existsSync(join(unpacked, "LICENSE"))) problems.push({ file, message: "the tarball has no LICENSE" });
  if (folder !== ".") return problems;
  const own = bytesOf(unpacked);
  const all = Object.keys(manifest.dependencies).reduce(
    (sum, name) => sum + bytesOf(join(root, "node_modules", name)),
    own,
  );
  return [
    ...problems,
    ...checkSize(file, "the package", own, LIBRARY_BYTES),
    ...checkSize(file, "the package with its dependencies", all, LIBRARY_AND_DEPENDENCIES_BYTES),
  ];
}

function checkSize(file: string, what: string, bytes: number, limit: number): Problem[] {
  return bytes <= limit
    ? []
    : [{ file, message: `${what} unpacks to ${bytes} bytes; the limit is ${limit}` }];
}

/** Links of the packed README: to files of the tarball. */
function checkLinks(unpacked: string, folder: string): Problem[] {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const files = globSync("**/*", { cwd: unpacked }).map((path) => path.replaceAll("\\", "/"));
  const pages = files
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readFileSync(join(unpacked, path), "utf8") }));
  return checkDocs({ files, pages, scripts: Object.keys(scripts) })
    .filter((problem) => problem.file === "README.md")
    .map((problem) => ({
      ...problem,
      file: join(folder, "README.md"),
      message: `packed, ${problem.message}`,
    }));
}
