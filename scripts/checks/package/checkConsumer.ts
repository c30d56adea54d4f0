import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { listEntryPoints } from "../entryPoints.ts";
import type { Problem } from "../Problem.ts";
import { root, runTool } from "../runTool.ts";

const FOLDER = join("scripts", "checks", "consumer");
const PROGRAM = join(FOLDER, "index.ts");
const run = promisify(execFile);

/** Module resolutions of programs that use the package: Node's and bundlers'. */
const RESOLUTIONS = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "preserve", moduleResolution: "bundler" },
];

/** Finds entry points that the consumer does not use. */
export function findUnused(text: string, specifiers: readonly string[]): Problem[] {
  return specifiers
    .filter((specifier) => !text.includes(`from "${specifier}"`))
    .map((specifier) => ({ file: PROGRAM, message: `uses nothing of ${specifier}` }));
}

/** Type-checks and runs a strict program in a project that has the packages installed and nothing of this repository. */
export async function checkConsumer(project: string, packageNames: readonly string[]): Promise<Problem[]> {
  const text = readFileSync(join(root, PROGRAM), "utf8");
  const unused = findUnused(
    text,
    listEntryPoints().map(({ specifier }) => specifier),
  );
  if (unused.length > 0) return unused;
  cpSync(join(root, FOLDER), project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));

  const problems = RESOLUTIONS.flatMap((resolution, index) =>
    typeCheck(project, resolution, index === 0 ? packageNames : []),
  );
  if (problems.length > 0) return problems;
  const tsc = join("typescript", "bin", "tsc");
  const built = await runTool(tsc, ["-p", project, "--noCheck", "--noEmit", "false", "--module", "nodenext"]);
  if (!built.ok) return [{ file: PROGRAM, message: built.output }];
  try {
    await run(process.execPath, ["index.js"], { cwd: project, timeout: 120_000 });
    return [];
  } catch (error) {
    return [{ file: PROGRAM, message: `fails with the installed package:\n${String(error)}` }];
  }
}

/** Errors in the program and in declarations of the named packages only. */
function typeCheck(
  project: string,
  resolution: Record<string, string>,
  declarations: readonly string[],
): Problem[] {
  const config: { compilerOptions: object } = JSON.parse(
    readFileSync(join(project, "tsconfig.json"), "utf8"),
  );
  const options = { ...config.compilerOptions, ...resolution };
  const parsed = ts.parseJsonConfigFileContent({ ...config, compilerOptions: options }, ts.sys, project);
  const program = ts.createProgram(parsed.fileNames, parsed.options);
  const folders = declarations.map((name) => join(project, "node_modules", name, sep));
  const files = program
    .getSourceFiles()
    .filter(
      ({ fileName }) =>
        parsed.fileNames.includes(fileName) || folders.some((folder) => fileName.startsWith(folder)),
    );
  const found = [
    ...program.getOptionsDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return found.map(({ file, messageText, start }) => ({
    file: file?.fileName.slice(project.length + 1) ?? "tsconfig.json",
    line: file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : undefined,
    message: `${resolution["moduleResolution"]}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  }));
}
