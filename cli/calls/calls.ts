import { Command } from "commander";
import { checkCommand } from "./check.ts";
import { decodeCommand } from "./decode.ts";
import { simulateCommand } from "./simulate.ts";

/** `waybill calls`: commands for the `txs` of a quote. */
export function callsCommand(): Command {
  return new Command("calls")
    .description("check, simulate and decode the calls of a quote")
    .addCommand(checkCommand())
    .addCommand(simulateCommand())
    .addCommand(decodeCommand());
}
