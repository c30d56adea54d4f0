import { setImmediate } from "node:timers/promises";
import { CommanderError } from "commander";
import { createProgram } from "./createProgram.ts";
import { exitCodes } from "./terminal/exitCodes.ts";
import { reportFailure } from "./terminal/runCommand.ts";
import { listenForStops, readStop } from "./terminal/stops.ts";

listenForStops();
const flags = process.argv.slice(2);

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = endOf(error);
}
// The empty write ends after all others. A closed pipe is reported a moment after a write.
if (process.stdout.writable) await new Promise((resolve) => process.stdout.write("", resolve));
await setImmediate();
const stop = readStop();
if (stop?.exitCode === exitCodes.closedPipe) process.exitCode = stop.exitCode;
// Idle connections would keep the process alive.
process.exit();

function endOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version are printed already; help without a command is wrong usage.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === "commander.help") return exitCodes.usage;
  }
  return reportFailure(error, { json: flags.includes("--json"), verbose: flags.includes("--verbose") });
}
