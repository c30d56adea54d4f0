import type { Command } from "commander";
import { readAmount } from "../quotes/quoteFlags.ts";
import { type NodeOptions, withNode } from "./nodeFlags.ts";

/** Flags of every deployment. */
export type DeployOptions = NodeOptions & { readonly maxFee?: string; readonly yes?: boolean };

/** Adds the flags of a deployment. */
export function withDeployment(command: Command): Command {
  return withNode(command)
    .option(
      "--max-fee <amount>",
      "most native currency for the gas of the transaction (default: 0.1)",
      readAmount,
    )
    .option("--yes", "send the transaction without asking; without it, a dry run");
}

/** What every deployment does. */
export const deployHelp = `
Prints address, arguments and cost first. Sends one transaction after --yes, or after a confirmation on a terminal. A contract
that stands already is compared, and nothing is sent.

WAYBILL_PRIVATE_KEY, or \`privateKey\` of the configuration, is the key of the account that pays; it gets no power.
`;
