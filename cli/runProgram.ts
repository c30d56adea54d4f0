import { CommanderError } from "commander";
import { createProgram } from "./createProgram.ts";
import { exitCodes } from "./terminal/exitCodes.ts";
import { reportFailure } from "./terminal/runCommand.ts";

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
