import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../checks/runTool.ts";
import { installApart, installPython } from "../test/installApart.ts";

/**
 * Installs forge from npm, and Slither and Halmos from PyPI, in the versions of this folder, if they are missing.
 *
 * @returns The search path of their programs.
 */
export function installTools(): string {
  installApart(import.meta.dirname);
  const programs = installPython(readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8"));
  const packages = [import.meta.dirname, root].map((folder) => join(folder, "node_modules", ".bin"));
  return [programs, ...packages, process.env["PATH"]].join(delimiter);
}

let path: string | undefined;

type ToolOptions = {
  readonly cwd?: string;
  /** Exit codes that are no failure. */
  readonly codes?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Runs forge, Slither or Halmos to its end and returns what it printed to stdout.
 *
 * @throws Error with all that it printed, if it failed.
 */
export function runAuditTool(
  [tool, ...parameters]: readonly [string, ...string[]],
  { cwd = root, codes = [0], env = {} }: ToolOptions = {},
): Promise<string> {
  path ??= installTools();
  const options = { cwd, env: { ...process.env, PATH: path, ...env }, maxBuffer: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(tool, parameters, options, (error, stdout, stderr) => {
      if (error === null || (typeof error.code === "number" && codes.includes(error.code))) resolve(stdout);
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
    });
  });
}

type Report = {
  /** Lines of the part of `docs/reference/assurance.md` between the comments with this name. */
  readonly figures: { readonly command?: string; readonly name: string; readonly lines: readonly string[] };
  readonly problems: readonly string[];
};

/** Prints the outcome of a part of the audit and writes its figures. Problems make this process fail, and leave the page as it is. */
export function report({ figures: { command = "audit:contracts", lines, name }, problems }: Report): void {
  process.stdout.write([...(problems.length > 0 ? problems : lines), ""].join("\n"));
  if (problems.length > 0) {
    process.exitCode = 1;
    return;
  }
  const page = join(root, "docs/reference/assurance.md");
  const text = readFileSync(page, "utf8");
  const [start, end] = [`<!-- ${name}: written by npm run ${command} -->`, `<!-- end of the ${name} -->`];
  if (!text.includes(start) || !text.includes(end))
    throw new Error(`docs/reference/assurance.md has no place for the ${name}`);
  const [head, tail] = [text.slice(0, text.indexOf(start)), text.slice(text.indexOf(end))];
  writeFileSync(page, `${head}${[start, "", ...lines, ""].join("\n")}\n${tail}`);
}
