import { createRequire } from "node:module";
import { Command } from "commander";
import { BaseError } from "../src/errors/BaseError.ts";
import { chainsCommand } from "./chains.ts";
import { emulatorCommand } from "./emulator.ts";

// By the package's own name: the same file from the sources and from the build.
const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };

const program = new Command("waybill")
  .description("Validation toolkit for a cross-chain intent service")
  .version(version)
  .addCommand(emulatorCommand())
  .addCommand(chainsCommand());

try {
  await program.parseAsync();
} catch (error) {
  // Errors made on purpose are one line; anything else is a bug and shows where it came from.
  console.error(error instanceof BaseError ? error.shortMessage : error);
  process.exitCode = 1;
}
