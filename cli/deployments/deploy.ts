import { Command } from "commander";
import { deployProxyCommand } from "./deployProxy.ts";
import { deployReceiverCommand } from "./deployReceiver.ts";

/** `waybill deploy`: the contracts that stand on public chains. */
export function deployCommand(): Command {
  return new Command("deploy")
    .description("deploy a receiver or the proxy to its deterministic address, after a dry run")
    .addCommand(deployReceiverCommand())
    .addCommand(deployProxyCommand());
}
