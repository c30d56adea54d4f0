import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Hardhat project with the plugin, in a folder of its own. */
export type HardhatProject = {
  readonly folder: string;
  /** Starts a task of the project in a process. */
  start(...args: readonly string[]): StartedTask;
  remove(): void;
};

/** A task in a process. */
export type StartedTask = {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** What it has printed so far. */
  output(): string;
};

const root = new URL("../../..", import.meta.url).pathname;
const plugin = join(root, "hardhat", "index.ts");
const hardhat = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");

/** Creates a project with these networks besides Hardhat's default. */
export function createHardhatProject(networks: object): HardhatProject {
  const folder = mkdtempSync(join(tmpdir(), "waybill-project-"));
  const configuration = `import waybill from ${JSON.stringify(plugin)};
import { defineConfig } from "hardhat/config";
export default defineConfig({ networks: ${JSON.stringify(networks)}, plugins: [waybill], solidity: "0.8.28" });
`;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "hardhat.config.ts"), configuration);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  // The environment has the options of a running Hardhat.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HARDHAT_"));
  const env = {
    ...Object.fromEntries(inherited),
    HARDHAT_DISABLE_TELEMETRY: "true",
    XDG_CONFIG_HOME: folder,
  };
  return {
    folder,
    remove: () => rmSync(folder, { force: true, recursive: true }),
    start: (...args) => {
      const child = spawn(process.execPath, [hardhat, ...args], { cwd: folder, env });
      let output = "";
      const keep = (chunk: Buffer) => {
        output += chunk.toString();
      };
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      return { child, ended, output: () => output };
    },
  };
}
