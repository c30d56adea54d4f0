#!/usr/bin/env node
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { BaseError } from "../src/errors/BaseError.ts";
import { emulatorCommand } from "./emulator.ts";

const program = new Command("waybill")
  .description("Validation toolkit for a cross-chain intent service")
  .version(packageJson.version)
  .showHelpAfterError()
  .addCommand(emulatorCommand());

try {
  await program.parseAsync();
} catch (error) {
  // Errors made on purpose are one line; anything else is a bug and shows where it came from.
  console.error(error instanceof BaseError ? error.shortMessage : error);
  process.exitCode = 1;
}
