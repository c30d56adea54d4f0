import type { Command } from "@commander-js/extra-typings";
import { readChain } from "../flags/readFlags.ts";
import type { FlagsOf } from "../terminal/runCommand.ts";

/** Adds the flags of a proof. */
export const proveFlags = (command: Command) =>
  command
    .requiredOption(
      "--request <file>",
      "what was asked for, as JSON: parameters of a quote, or { request, policy }; - reads stdin",
    )
    .option("--file <file>", "the quote, as JSON; - reads stdin", "-")
    .option("--policy <file>", "bounds and trust, as JSON, if the request's file has none")
    .option("--emulator <file>", "trust the emulator that wrote this file by --out")
    .option("--url <url>", "trust the contracts of this service (default: the public service)")
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option(
      "--rpc-url <chain=url>",
      "your own node of a chain, to read tokens and guard; repeatable",
      readChain,
    );

/** Flags of `waybill prove`. */
export type ProveOptions = FlagsOf<typeof proveFlags>;
