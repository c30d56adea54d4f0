import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ReceiverName } from "../../src/deployment/parameters.ts";
import { docsRoot } from "../../src/errors/docsRoot.ts";
import { usageError } from "../terminal/CommandError.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";
import { payFlags } from "./openChain.ts";

const receivers = ["PinnedReceiver", "ManagedReceiver", "OrderReceiver"] as const;

/** `waybill deploy`: the contracts that stand on public chains. */
export function deployCommand(): CommandUnknownOpts {
  return new Command("deploy")
    .description("deploy a receiver or the proxy to its deterministic address, after a dry run")
    .addCommand(receiverCommand())
    .addCommand(proxyCommand());
}

const help = `
Prints address, arguments and cost first. Hardhat Ignition sends one transaction after --yes, or after a confirmation on a
terminal. A contract that stands already is compared, and nothing is sent.

WAYBILL_PRIVATE_KEY, or \`privateKey\` of the configuration, is the key of the account that pays; it gets no power.
`;

function proxyCommand(): CommandUnknownOpts {
  const command = new Command("proxy")
    .description("deploy BalanceProxy with its executor: the same address on every chain, and no owner")
    .addHelpText(
      "after",
      `${help}
Examples:
  waybill deploy proxy --chain 8453 --rpc-url https://node.example
  waybill deploy proxy --chain 8453 --rpc-url https://node.example --yes`,
    );
  return withWork(withFlags(command, payFlags), async (terminal, options) => {
    const { runDeployment } = await import("./runDeployment.ts");
    return runDeployment(terminal, options, { contract: "BalanceProxy", parameters: {} });
  });
}

const receiverFlags = (command: Command) =>
  command.requiredOption(
    "--parameters <file>",
    `constructor parameters by contract, as in ${docsRoot}how-to/deploy.md#parameters; - reads stdin`,
  );

function receiverCommand(): CommandUnknownOpts {
  const command = new Command("receiver")
    .description("deploy a receiver of validated deposits")
    .addArgument(
      new Argument("[contract]", "the receiver (default: the only one of the file)").choices(receivers),
    )
    .addHelpText(
      "after",
      `${help}
Examples:
  waybill deploy receiver --chain 8453 --rpc-url https://node.example --parameters receiver.json
  waybill deploy receiver --chain 8453 --emulator emulator.json --parameters receiver.json --yes
  waybill deploy receiver ManagedReceiver --chain 8453 --parameters receivers.json --json | jq .address`,
    );
  return withWork(
    withFlags(withFlags(command, receiverFlags), payFlags),
    async (terminal, options, contract) => {
      const { readParameters, runDeployment } = await import("./runDeployment.ts");
      const parameters = await readParameters(options.parameters);
      return runDeployment(terminal, options, { contract: contract ?? onlyOne(parameters), parameters });
    },
  );
}

function onlyOne(parameters: object): ReceiverName {
  const [first, ...others] = Object.keys(parameters) as ReceiverName[];
  if (first !== undefined && others.length === 0) return first;
  throw usageError(
    `The parameters are of ${[first, ...others].join(", ") || "no receiver"}: name the one to deploy.`,
  );
}
