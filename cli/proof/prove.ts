import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { withFlags, withWork } from "../terminal/runCommand.ts";
import { proveFlags } from "./proveFlags.ts";

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
  waybill prove --file quote.json --request request.json --emulator emulator.json
  waybill quote … --json | waybill prove --request request.json --policy policy.json --json | jq .quote
  waybill prove --file quote.json --request - < request.json`,
    );
  return withWork(withFlags(command, proveFlags), async (terminal, options) => {
    const { runProof } = await import("./runProof.ts");
    return runProof(terminal, options);
  });
}
