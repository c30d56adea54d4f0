import { Command } from "commander";
import { withWork } from "../terminal/runCommand.ts";
import { type DeployOptions, deployHelp, withDeployment } from "./deployFlags.ts";

/** `waybill deploy proxy`: BalanceProxy with its executor. */
export function deployProxyCommand(): Command {
  const command = new Command("proxy")
    .description("deploy BalanceProxy with its executor: the same address on every chain, and no owner")
    .addHelpText(
      "after",
      `${deployHelp}
Examples:
  waybill deploy proxy --chain 8453 --rpc-url https://node.example
  waybill deploy proxy --chain 8453 --rpc-url https://node.example --yes`,
    );
  return withWork<DeployOptions, []>(withDeployment(command), async (terminal, options) => {
    const { runDeployment } = await import("./runDeployment.ts");
    return runDeployment(terminal, options, { contract: "BalanceProxy", parameters: {} });
  });
}
