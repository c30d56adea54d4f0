/** A page with the help of every command, as the command prints it. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { SourceFile } from "../../checks/Problem.ts";
import { block, page } from "./page.ts";

export function renderCommands(program: CommandUnknownOpts): SourceFile {
  return page("commands", "Commands", helpOf(program, program.name()));
}

function helpOf(command: CommandUnknownOpts, path: string): string[] {
  let text = "";
  command.configureOutput({
    getOutHelpWidth: () => 100,
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const children = command.commands.flatMap((child) => helpOf(child, `${path} ${child.name()}`));
  return [`## ${path}`, "", ...block("text", text.trimEnd()), ...children];
}
