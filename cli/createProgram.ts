import { createRequire } from "node:module";
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { callsCommand } from "./calls/calls.ts";
import { clockCommand, faultCommand } from "./control/control.ts";
import { deployCommand } from "./deployments/deploy.ts";
import { verifyDeploymentCommand } from "./deployments/verify.ts";
import { doctorCommand } from "./doctor/doctor.ts";
import { executeCommand } from "./execution/execute.ts";
import { initCommand } from "./project/init.ts";
import { proveCommand } from "./proof/prove.ts";
import { quoteCommand } from "./quotes/quote.ts";
import { attestCommand } from "./records/attest.ts";
import { explainCommand } from "./requests/explain.ts";
import { requestsCommand } from "./requests/requests.ts";
import { statusCommand } from "./requests/status.ts";
import { chainsCommand } from "./serve/chains.ts";
import { consoleCommand } from "./serve/console.ts";
import { emulatorCommand } from "./serve/emulator.ts";
import { exitCodes } from "./terminal/CommandError.ts";
import { reportFailure } from "./terminal/runCommand.ts";
import { webhookCommand } from "./webhooks/webhook.ts";

// Resolves the package by name, so that sources and build read the same file.
const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };

/** Creates the whole command. Its errors are thrown, not printed. */
export function createProgram(): CommandUnknownOpts {
  const program = new Command("waybill")
    .description("Validation toolkit for a cross-chain intent service")
    .version(version)
    .addCommand(emulatorCommand())
    .addCommand(chainsCommand())
    .addCommand(consoleCommand())
    .addCommand(statusCommand())
    .addCommand(explainCommand())
    .addCommand(requestsCommand())
    .addCommand(quoteCommand())
    .addCommand(proveCommand())
    .addCommand(executeCommand())
    .addCommand(attestCommand())
    .addCommand(callsCommand())
    .addCommand(faultCommand())
    .addCommand(clockCommand())
    .addCommand(initCommand())
    .addCommand(deployCommand())
    .addCommand(verifyDeploymentCommand())
    .addCommand(webhookCommand())
    .addCommand(doctorCommand());
  prepare(program);
  return program;
}

/** Mistakes whose text names no remedy. */
const bareMistakes = [
  "commander.excessArguments",
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.optionMissingArgument",
  "commander.unknownCommand",
  "commander.unknownOption",
];

function prepare(command: CommandUnknownOpts, path = command.name()): void {
  const fail = ({ code, exitCode, message }: CommanderError): never => {
    const isClear = !bareMistakes.includes(code) || message.includes("Did you mean");
    const text = isClear ? message : `${message.replace(/\.$/, "")}: see ${path} --help`;
    throw new CommanderError(exitCode, code, text);
  };
  command.exitOverride(fail).configureOutput({ outputError: () => undefined });
  for (const each of command.commands) prepare(each, `${path} ${each.name()}`);
}

/** Runs the command with the arguments after its name. Prints failures, and sets the exit code of the process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = endOf(error, args);
  }
}

function endOf(error: unknown, flags: readonly string[]): number {
  if (error instanceof CommanderError) {
    // Help and version are printed already; help without a command is wrong usage.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === "commander.help") return exitCodes.usage;
  }
  return reportFailure(error, { json: flags.includes("--json"), verbose: flags.includes("--verbose") });
}
