import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkDocs } from "../docsLinks.ts";
import type { Problem } from "../Problem.ts";
import type { Package } from "../readPackages.ts";
import { root } from "../runTool.ts";

/** Maximum unpacked sizes of `npm i waybill viem` without viem: the package alone, and with its dependencies. */
const LIBRARY_BYTES = 4_300_000;
const LIBRARY_AND_DEPENDENCIES_BYTES = 10_500_000;

const run = promisify(execFile);

const bytesOf = (folder: string): number =>
  globSync("**/*", { cwd: folder }).reduce((sum, path) => {
    const stats = statSync(join(folder, path));
    return sum + (stats.isFile() ? stats.size : 0);
  }, 0);

/** Unpacks a tarball next to it, and checks licence, links and size. */
export async function checkTarball(tarball: string, { folder, manifest }: Package): Promise<Problem[]> {
  const unpacked = `${tarball}.unpacked`;
  mkdirSync(unpacked);
  await run("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
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
