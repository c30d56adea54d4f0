import { type Command, Option } from "@commander-js/extra-typings";
import { readAddressFlag, readAmount, readChain, readSeconds } from "../flags/readFlags.ts";
import type { optionalRouteFlags, termFlags } from "../quotes/quote.ts";
import type { ServiceOptions } from "../settings/openService.ts";
import type { FlagsOf } from "../terminal/runCommand.ts";

/** Adds the flags of a payment. */
export const payFlags = (command: Command) =>
  command
    .option("--user <address>", "account that pays (default: that of the private key)", readAddressFlag)
    .option("--min-output <amount>", "least output in whole tokens; for a fixed input", readAmount)
    .option("--max-input <amount>", "largest payment in whole tokens; for a fixed output", readAmount)
    .option(
      "--max-fee <amount>",
      "most native currency for the gas of a transaction (default: 0.1)",
      readAmount,
    )
    .addOption(new Option("--any-price", "accept any price").conflicts(["maxInput", "minOutput"]))
    .option("--file <file>", "a saved quote of these flags, or - for stdin; else the service is asked")
    .option("--rpc-url <chain=url>", "your own node of a chain; repeatable", readChain)
    .option("--state <file>", "where the progress is saved (default: waybill-<request>.json, here)")
    .addOption(
      new Option("--resume <file>", "continue an interrupted run; takes no flags of a quote").conflicts([
        ...["amount", "anyPrice", "file", "from", "maxInput", "minOutput", "to", "user"],
      ]),
    )
    .option("--dry-run", "prove the quote and show what it would sign; sign and pay nothing")
    .option("--yes", "do not ask; required without a terminal")
    .option("--for <seconds>", "longest wait for each step (default: 600)", readSeconds);

/** Flags of `waybill execute`. */
export type ExecuteOptions = FlagsOf<typeof optionalRouteFlags> &
  FlagsOf<typeof termFlags> &
  FlagsOf<typeof payFlags> &
  ServiceOptions;
