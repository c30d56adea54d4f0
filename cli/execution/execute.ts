import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { readAddressFlag, readAmount, readChain, readSeconds } from "../flags/readFlags.ts";
import { optionalRouteFlags, termFlags } from "../quotes/quote.ts";
import { type ServiceOptions, serviceFlags } from "../settings/openService.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";

const payFlags = (command: Command) =>
  command
    .option("--user <address>", "account that pays (default: that of the private key)", readAddressFlag)
    .option("--min-output <amount>", "least output in whole tokens; for a fixed input", readAmount)
    .option("--max-input <amount>", "largest payment in whole tokens; for a fixed output", readAmount)
    .option(
      "--max-fee <amount>",
      "most native currency for the gas of a transaction (default: 0.1)",
      readAmount,
    )
    .option("--any-price", "accept any price")
    .option("--file <file>", "a saved quote of these flags, or - for stdin; else the service is asked")
    .option("--rpc-url <chain=url>", "your own node of a chain; repeatable", readChain)
    .option("--state <file>", "where the progress is saved (default: waybill-<request>.json, here)")
    .option("--resume <file>", "continue an interrupted run; takes no flags of a quote")
    .option("--dry-run", "prove the quote and show what it would sign; sign and pay nothing")
    .option("--yes", "do not ask; required without a terminal")
    .option("--for <seconds>", "longest wait for each step (default: 600)", readSeconds);

/** Flags of `waybill execute`. */
export type ExecuteOptions = FlagsOf<typeof optionalRouteFlags> &
  FlagsOf<typeof termFlags> &
  FlagsOf<typeof payFlags> &
  ServiceOptions;

/** `waybill execute`: proves a quote, pays it, and follows it to its end. */
export function executeCommand(): CommandUnknownOpts {
  const command = new Command("execute").description("prove a quote, pay it, and follow it to its end");
  const asking = withFlags(withFlags(command, optionalRouteFlags), termFlags);
  const paying = withFlags(asking, payFlags).addHelpText(
    "after",
    `
Amounts of tokens have the decimals that the chain names. Symbols are taken from --emulator alone, because a service could give
any token a symbol: else name addresses, or "native". The private key comes from WAYBILL_PRIVATE_KEY or the configuration.

Examples:
  waybill execute --from 31337:ETH --to 31338:USDC --amount 0.5 --min-output 900 --emulator emulator.json --yes
  waybill execute --from 8453:native --to 10:native --amount 0.1 --min-output 0.099 --url https://api.relay.link --rpc-url 8453=https://… --rpc-url 10=https://… --dry-run
  waybill execute --resume waybill-0x910113af21b5771f.json --emulator emulator.json --yes
  waybill execute … --yes --json | jq -r 'select(.type == "result").txHashes[]'`,
  );
  return withWork(
    withFlags(paying, serviceFlags),
    async (terminal, options) => {
      const { runExecution } = await import("./runExecution.ts");
      await runExecution(terminal, options);
    },
    { isServer: true },
  );
}
