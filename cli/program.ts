import { setImmediate } from "node:timers/promises";
import { runProgram } from "./createProgram.ts";
import { exitCodes } from "./terminal/CommandError.ts";
import { listenForStops, readStop } from "./terminal/runCommand.ts";

listenForStops();
await runProgram(process.argv.slice(2));
// The empty write ends after all others. A closed pipe is reported a moment after a write.
if (process.stdout.writable) await new Promise((resolve) => process.stdout.write("", resolve));
await setImmediate();
const stop = readStop();
if (stop?.exitCode === exitCodes.closedPipe) process.exitCode = stop.exitCode;
// Idle connections would keep the process alive.
process.exit();
