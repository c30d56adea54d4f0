import { createRequire } from "node:module";
import { Command } from "commander";
import { BaseError } from "../src/errors/BaseError.ts";
import { chainsCommand } from "./serve/chains.ts";
import { emulatorCommand } from "./serve/emulator.ts";

// Resolves the package by name, so that sources and build read the same file.
const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };

const program = new Command("waybill")
  .description("Validation toolkit for a cross-chain intent service")
  .version(version)
  .addCommand(emulatorCommand())
  .addCommand(chainsCommand());

try {
  await program.parseAsync();
} catch (error) {
  // Prints deliberate errors in one line, and others, which are bugs, with their stack.
  console.error(error instanceof BaseError ? error.shortMessage : error);
  process.exitCode = 1;
}
