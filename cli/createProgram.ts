import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { callsCommand } from "./calls/calls.ts";
import { clockCommand } from "./control/clock.ts";
import { faultCommand } from "./control/fault.ts";
import { deployCommand } from "./deployments/deploy.ts";
import { verifyDeploymentCommand } from "./deployments/verify.ts";
import { doctorCommand } from "./doctor/doctor.ts";
import { executeCommand } from "./execution/execute.ts";
import { completionCommand } from "./project/completion.ts";
import { initCommand } from "./project/init.ts";
import { proveCommand } from "./proof/prove.ts";
import { quoteCommand } from "./quotes/quote.ts";
import { attestCommand } from "./records/attest.ts";
import { explainCommand } from "./requests/explain.ts";
import { requestsCommand } from "./requests/requests.ts";
import { statusCommand } from "./requests/status.ts";
import { chainsCommand } from "./serve/chains.ts";
import { emulatorCommand } from "./serve/emulator.ts";
import { webhookCommand } from "./webhooks/webhook.ts";

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
    .addCommand(doctorCommand())
    .addCommand(completionCommand());
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

function prepare(command: Command, path = command.name()): void {
  const fail = ({ code, exitCode, message }: CommanderError): never => {
    const isClear = !bareMistakes.includes(code) || message.includes("Did you mean");
    const text = isClear ? message : `${message.replace(/\.$/, "")}: see ${path} --help`;
    throw new CommanderError(exitCode, code, text);
  };
  command.exitOverride(fail).configureOutput({ outputError: () => undefined });
  for (const each of command.commands) prepare(each, `${path} ${each.name()}`);
}
