import { createRequire } from "node:module";
import { Command } from "commander";
import { callsCommand } from "./calls/calls.ts";
import { clockCommand } from "./control/clock.ts";
import { faultCommand } from "./control/fault.ts";
import { completionCommand } from "./project/completion.ts";
import { quoteCommand } from "./quotes/quote.ts";
import { attestCommand } from "./records/attest.ts";
import { explainCommand } from "./requests/explain.ts";
import { requestsCommand } from "./requests/requests.ts";
import { statusCommand } from "./requests/status.ts";
import { chainsCommand } from "./serve/chains.ts";
import { emulatorCommand } from "./serve/emulator.ts";

// Resolves the package by name, so that sources and build read the same file.
const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };

/** Creates the whole command. Its errors are thrown, not printed. */
export function createProgram(): Command {
  const program = new Command("waybill")
    .description("Validation toolkit for a cross-chain intent service")
    .version(version)
    .addCommand(emulatorCommand())
    .addCommand(chainsCommand())
    .addCommand(statusCommand())
    .addCommand(explainCommand())
    .addCommand(requestsCommand())
    .addCommand(quoteCommand())
    .addCommand(attestCommand())
    .addCommand(callsCommand())
    .addCommand(faultCommand())
    .addCommand(clockCommand())
    .addCommand(completionCommand());
  prepare(program);
  return program;
}

function prepare(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const each of command.commands) prepare(each);
}
