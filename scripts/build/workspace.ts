/**
 * Builds a package of the workspace: `npm run build -w @waybill/emulator`, `npm run build -w @waybill/hardhat`.
 *
 * The sources import the other packages by relative paths. The build imports them by name instead, so that a program has one
 * copy of every class and `instanceof` works. The layout of `dist` is the repository's.
 */
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root, runTool, type ToolResult } from "../checks/runTool.ts";
import { buildConsole } from "./console.ts";

type Workspace = {
  /** Folders of the repository that the package holds. */
  readonly folders: readonly string[];
  /** Built files that it holds besides. */
  readonly deployed: readonly string[];
  /** Files of development dependencies, by the folder that it holds them in. */
  readonly vendored?: Readonly<Record<string, readonly string[]>>;
};

const workspaces = {
  emulator: {
    deployed: [
      "api/openapi.json",
      "artifacts/Permit2.json",
      "emulator/http/reference/*",
      "artifacts/contracts/guard/OutputGuard.sol/OutputGuard.json",
      "artifacts/contracts/service/**/*.json",
      "console/dist/*.{css,html,js}",
      "examples/hardhat/*.{json,md,ts}",
      "examples/hardhat/{contracts,test}/**/*.{sol,ts}",
    ],
    folders: ["emulator", "cli", "testing"],
    vendored: {
      "emulator/http/reference": [
        "LICENSE",
        "NOTICE",
        "swagger-ui-bundle.js",
        "swagger-ui-bundle.js.LICENSE.txt",
        "swagger-ui.css",
      ].map((file) => `swagger-ui-dist/${file}`),
    },
  },
  hardhat: { deployed: [], folders: ["hardhat"] },
} satisfies Readonly<Record<string, Workspace>>;

/** Names under which a package imports the folders of other packages. */
const published: Readonly<Record<string, (path: string) => string>> = {
  emulator: () => "@waybill/emulator",
  ignition: (path) => `waybill/ignition/${path.replace(/^modules\//, "")}`,
  src: (path) => `waybill/internal/${path}.js`,
  testing: () => "@waybill/emulator/testing",
};

/**
 * `from "../../src/errors/BaseError.ts"` becomes `from "waybill/internal/errors/BaseError.js"`.
 *
 * @param own Folders that the package holds itself.
 */
export function importPackages(code: string, own: readonly string[]): string {
  return code.replace(
    /(?<=\b(?:from |import |import\()")(?:\.\.\/)+([a-z]+)\/([^"]+)\.[jt]s(?=")/g,
    (specifier, folder: string, path: string) =>
      own.includes(folder) ? specifier : (published[folder]?.(path) ?? specifier),
  );
}

/** @param flags Further flags of the compiler. */
async function build(
  workspace: keyof typeof workspaces,
  folder: string,
  flags: readonly string[],
): Promise<ToolResult> {
  const { deployed, folders, vendored = {} }: Workspace = workspaces[workspace];
  rmSync(folder, { force: true, recursive: true });
  const project = ["-p", join(root, workspace, "tsconfig.build.json"), "--outDir", folder];
  const result = await runTool(join("typescript", "bin", "tsc"), [...project, ...flags]);
  for (const other of readdirSync(folder)) {
    if (!folders.includes(other)) rmSync(join(folder, other), { force: true, recursive: true });
  }
  for (const path of globSync("**/*.{js,d.ts}", { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, importPackages(readFileSync(file, "utf8"), folders));
  }
  if (workspace === "emulator") await buildConsole();
  for (const path of globSync([...deployed], { cwd: root })) cpSync(join(root, path), join(folder, path));
  for (const [target, files] of Object.entries(vendored)) {
    for (const file of files) cpSync(join(root, "node_modules", file), join(folder, target, basename(file)));
  }
  return result;
}

if (import.meta.main) {
  const [workspace = "", folder = join(root, workspace, "dist"), ...flags] = process.argv.slice(2);
  if (!(workspace in workspaces)) throw new Error(`build one of ${Object.keys(workspaces).join(", ")}`);
  const { ok, output } = await build(workspace as keyof typeof workspaces, folder, flags);
  process.stdout.write(output);
  process.exitCode = ok ? 0 : 1;
}
