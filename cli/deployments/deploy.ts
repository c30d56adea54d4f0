import { Argument, Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { ReceiverName } from "../../src/deployment/parameters.ts";
import { readAddressFlag } from "../flags/readFlags.ts";
import { usageError } from "../terminal/CommandError.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";
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
  command
    .addOption(
      new Option(
        "--parameters <file>",
        "constructor parameters by contract, as docs/deployment.md describes them; - reads stdin",
      ).conflicts(["binding", "nativePayee", "refundPayee", "solver"]),
    )
    .option(
      "--solver <address>",
      "PinnedReceiver: signer of the records, recipient of tokens",
      readAddressFlag,
    )
    .option(
      "--native-payee <address>",
      "PinnedReceiver: recipient of native currency (default: the solver)",
      readAddressFlag,
    )
    .option(
      "--refund-payee <address>",
      "PinnedReceiver: recipient of money that names no request",
      readAddressFlag,
    )
    .addOption(
      new Option("--binding <account>", "PinnedReceiver: whom records name (default: receiver)").choices([
        "receiver",
        "caller",
      ]),
    );

function receiverCommand(): CommandUnknownOpts {
  const command = new Command("receiver")
    .description("deploy a receiver of validated deposits")
    .addArgument(
      new Argument(
        "[contract]",
        "the receiver (default: the only one of the file, else PinnedReceiver)",
      ).choices(receivers),
    )
    .addHelpText(
      "after",
      `${help}
Examples:
  waybill deploy receiver --chain 8453 --rpc-url https://node.example --parameters receiver.json
  waybill deploy receiver --chain 8453 --emulator emulator.json --solver 0x71bE… --refund-payee 0xf39F… --yes
  waybill deploy receiver ManagedReceiver --chain 8453 --parameters receivers.json --json | jq .address`,
    );
  return withWork(
    withFlags(withFlags(command, receiverFlags), payFlags),
    async (terminal, options, contract) => {
      const { readParameters, runDeployment } = await import("./runDeployment.ts");
      const file = options.parameters;
      const parameters = await readParameters(file ?? fromFlags(options, contract), file);
      return runDeployment(terminal, options, { contract: contract ?? onlyOne(parameters), parameters });
    },
  );
}

/** Parameters of a pinned receiver, in the form of the file. */
function fromFlags(
  { binding, nativePayee, refundPayee, solver }: FlagsOf<typeof receiverFlags>,
  contract: ReceiverName = "PinnedReceiver",
): object {
  if (contract !== "PinnedReceiver") throw usageError(`${contract} needs --parameters <file>.`);
  if (solver === undefined || refundPayee === undefined) {
    throw usageError("Name the parameters by --parameters <file>, or by --solver and --refund-payee.");
  }
  const code = binding === "caller" ? 1 : 0;
  return { [contract]: { binding: code, nativePayee: nativePayee ?? solver, refundPayee, solver } };
}

function onlyOne(parameters: object): ReceiverName {
  const [first, ...others] = Object.keys(parameters) as ReceiverName[];
  if (first !== undefined && others.length === 0) return first;
  throw usageError(
    `The parameters are of ${[first, ...others].join(", ") || "no receiver"}: name the one to deploy.`,
  );
}
