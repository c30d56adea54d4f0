import { Command } from "commander";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** `waybill init`: a project with a validated deposit in a Hardhat test. */
export function initCommand(): Command {
  const command = new Command("init")
    .description("create a Hardhat project with a receiver and a test of a validated deposit")
    .argument("[folder]", "an empty or a new folder", ".")
    .addHelpText(
      "after",
      `
Writes files only: it asks for nothing, and installs nothing. Hardhat's plugin, the emulator and the library come from where this
command was installed from: the registry, or packed files.

Examples:
  waybill init payments && cd payments && npm install && npm test
  waybill init --json | jq .files`,
    );
  return withWork<object, [string]>(command, run);
}

/** One word for a shell, never a flag or a command. */
function quoted(folder: string): string {
  const path = folder.startsWith("-") ? `./${folder}` : folder;
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

async function run(terminal: Terminal, _: object, given: string): Promise<void> {
  const { createProject } = await import("./createProject.ts");
  const { files, folder } = createProject(given);
  const next = [...(given === "." ? [] : [`cd ${quoted(given)}`]), "npm install", "npm test"];
  const shown = [`Created ${files.length} files in ${folder}. Next:`, ...next.map((line) => `  ${line}`)];
  terminal.result({ files, folder, next }, shown.join("\n"));
}
