import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { readChain } from "../flags/readFlags.ts";
import { emulatorFlag } from "../settings/openService.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";

const proveFlags = (command: Command) =>
  command
    .requiredOption("--request <file>", "what was asked for, as JSON: { request, policy }; - reads stdin")
    .option("--file <file>", "the quote, as JSON; - reads stdin", "-")
    .addOption(emulatorFlag("trust the emulator that wrote this file by --out"))
    .option("--url <url>", "trust the contracts of this service (default: the public service)")
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option(
      "--rpc-url <chain=url>",
      "your own node of a chain, to read tokens and guard; repeatable",
      readChain,
    );

/** `waybill prove`: proves a saved quote, without a key and without the service. */
export function proveCommand(): CommandUnknownOpts {
  const command = new Command("prove")
    .description("prove a saved quote against a request and a policy, without a key or a service")
    .addHelpText(
      "after",
      `
Exit code 0 means proven, 1 refused. Amounts are decimal strings of smallest units. No network is used but nodes of --rpc-url.
Sign the printed quote of --json: it has the guard among its calls.

Examples:
  waybill prove --file quote.json --request terms.json --emulator emulator.json
  waybill quote … --json | waybill prove --request terms.json --json | jq .quote
  waybill prove --file quote.json --request - < terms.json`,
    );
  return withWork(withFlags(command, proveFlags), async (terminal, options) => {
    const { runProof } = await import("./runProof.ts");
    return runProof(terminal, options);
  });
}
