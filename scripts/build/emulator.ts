/**
 * Builds `@waybill/emulator`: `npm run build -w @waybill/emulator`.
 *
 * The sources import the library by relative paths. The build imports the installed package `waybill` instead, so that a
 * program has one copy of every class and `instanceof` works. Its layout is the repository's: `dist/emulator`, `dist/cli`
 * and, of `dist/artifacts`, what the emulator deploys.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool, type ToolResult } from "../checks/runTool.ts";

const DEPLOYED = [
  "artifacts/Permit2.json",
  "artifacts/UniswapV2.*",
  "artifacts/contracts/guard/OutputGuard.sol/OutputGuard.json",
  "artifacts/contracts/service/**/*.json",
];

/** `from "../../src/errors/BaseError.ts"` becomes `from "waybill/internal/errors/BaseError.js"`. */
export function importInstalledLibrary(code: string): string {
  return code.replace(
    /(?<=\b(?:from |import |import\()")(?:\.\.\/)+src\/([^"]+)\.[jt]s(?=")/g,
    "waybill/internal/$1.js",
  );
}

/** @param flags Further flags of the compiler. */
async function buildEmulator(folder: string, flags: readonly string[]): Promise<ToolResult> {
  rmSync(folder, { force: true, recursive: true });
  const project = ["-p", join(root, "emulator", "tsconfig.build.json"), "--outDir", folder];
  const result = await runTool(join("typescript", "bin", "tsc"), [...project, ...flags]);
  rmSync(join(folder, "src"), { force: true, recursive: true });
  for (const path of globSync("**/*.{js,d.ts}", { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, importInstalledLibrary(readFileSync(file, "utf8")));
  }
  for (const path of globSync(DEPLOYED, { cwd: root })) cpSync(join(root, path), join(folder, path));
  return result;
}

if (import.meta.main) {
  const [folder = join(root, "emulator", "dist"), ...flags] = process.argv.slice(2);
  const { ok, output } = await buildEmulator(folder, flags);
  process.stdout.write(output);
  process.exitCode = ok ? 0 : 1;
}
