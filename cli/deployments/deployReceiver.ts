import { Argument, Command, Option } from "commander";
import type { Address } from "viem";
import type { ReceiverName } from "../../src/deployment/parameters.ts";
import { readAddressFlag } from "../flags/readAddressFlag.ts";
import { usageError } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";
import { type DeployOptions, deployHelp, withDeployment } from "./deployFlags.ts";

const receivers: readonly ReceiverName[] = ["PinnedReceiver", "ManagedReceiver", "OrderReceiver"];

type Options = DeployOptions & {
  readonly binding?: "caller" | "receiver";
  readonly nativePayee?: Address;
  readonly parameters?: string;
  readonly refundPayee?: Address;
  readonly solver?: Address;
};

/** `waybill deploy receiver`: a receiver with its parameters. */
export function deployReceiverCommand(): Command {
  const command = new Command("receiver")
    .description("deploy a receiver of validated deposits")
    .addArgument(
      new Argument(
        "[contract]",
        "the receiver (default: the only one of the file, else PinnedReceiver)",
      ).choices(receivers),
    )
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
    )
    .addHelpText(
      "after",
      `${deployHelp}
Examples:
  waybill deploy receiver --chain 8453 --rpc-url https://node.example --parameters receiver.json
  waybill deploy receiver --chain 8453 --emulator emulator.json --solver 0x71bE… --refund-payee 0xf39F… --yes
  waybill deploy receiver ManagedReceiver --chain 8453 --parameters receivers.json --json | jq .address`,
    );
  return withWork<Options, [ReceiverName | undefined]>(
    withDeployment(command),
    async (terminal, options, contract) => {
      const { readParameters } = await import("./readParameters.ts");
      const parameters = await readParameters(
        options.parameters ?? fromFlags(options, contract),
        options.parameters,
      );
      const { runDeployment } = await import("./runDeployment.ts");
      return runDeployment(terminal, options, { contract: contract ?? onlyOne(parameters), parameters });
    },
  );
}

/** Parameters of a pinned receiver, in the form of the file. */
function fromFlags(
  { binding, nativePayee, refundPayee, solver }: Options,
  contract: ReceiverName = "PinnedReceiver",
): object {
  if (!contract.startsWith("Pinned")) throw usageError(`${contract} needs --parameters <file>.`);
  if (solver === undefined || refundPayee === undefined) {
    throw usageError("Name the parameters by --parameters <file>, or by --solver and --refund-payee.");
  }
  const given = {
    binding: binding === "caller" ? 1 : 0,
    nativePayee: nativePayee ?? solver,
    refundPayee,
    solver,
  };
  return { [contract]: given };
}

function onlyOne(parameters: object): ReceiverName {
  const [first, ...others] = Object.keys(parameters) as ReceiverName[];
  if (first !== undefined && others.length === 0) return first;
  throw usageError(
    `The parameters are of ${[first, ...others].join(", ") || "no receiver"}: name the one to deploy.`,
  );
}
