import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { optionalRouteFlags, termFlags } from "../quotes/quote.ts";
import { serviceFlags } from "../settings/openService.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";
import { payFlags } from "./payFlags.ts";

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
