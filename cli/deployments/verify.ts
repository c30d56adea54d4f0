import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Address } from "viem";
import { printable } from "../../src/errors/printable.ts";
import { readAddressFlag } from "../flags/readFlags.ts";
import { type ExitCode, exitCodes } from "../terminal/CommandError.ts";
import { flatten } from "../terminal/flatten.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { table } from "../terminal/table.ts";
import { type NodeOptions, nodeFlags, openChain } from "./openChain.ts";
import type { VerifiedDeployment } from "./verifyDeployment.ts";

const expectFlags = (command: Command) =>
  command.option(
    "--parameters <file>",
    "constructor parameters by contract, which address and settings must follow from; - reads stdin",
  );

type Options = FlagsOf<typeof expectFlags> & NodeOptions;

/** `waybill verify-deployment`: code and settings of a deployed contract. */
export function verifyDeploymentCommand(): CommandUnknownOpts {
  const command = new Command("verify-deployment")
    .description(
      "prove that this package's code created a contract, and compare its settings to what you expect",
    )
    .addArgument(new Argument("<address>", "the contract").argParser(readAddressFlag))
    .addHelpText(
      "after",
      `
Exit code 0 means that this package's creation code made the contract, and every expected setting holds; 1 that something differs. Settings without an expectation are shown only.

Examples:
  waybill verify-deployment 0x5Fb4… --chain 8453 --rpc-url https://node.example
  waybill verify-deployment 0x5Fb4… --chain 8453 --rpc-url https://node.example --parameters receiver.json
  waybill verify-deployment 0x5Fb4… --chain 8453 --rpc-url https://node.example --json | jq .settings.owner`,
    );
  return withWork(withFlags(withFlags(command, expectFlags), nodeFlags), run);
}

async function run(terminal: Terminal, options: Options, address: Address): Promise<ExitCode> {
  const { readParameters } = await import("./runDeployment.ts");
  const given = options.parameters;
  const parameters = given === undefined ? undefined : await readParameters(given);
  const { verifyDeployment } = await import("./verifyDeployment.ts");
  const { client } = await openChain(options, terminal.signal);
  const verified = await verifyDeployment(client, {
    address,
    chainId: options.chain,
    fromBlock: options.fromBlock,
    parameters,
  });
  const isCompared = parameters !== undefined;
  terminal.result({ ...verified, contract: verified.contract ?? null }, textOf(verified, isCompared));
  return verified.differences.length === 0 ? exitCodes.ok : exitCodes.refused;
}

function textOf(
  { address, args, block, chainId, contract, differences, settings = {} }: VerifiedDeployment,
  isCompared: boolean,
): string {
  const title =
    contract === undefined
      ? `${address} on chain ${chainId}, block ${block}: not recognized`
      : `${contract} at ${address} on chain ${chainId}, block ${block}`;
  const proven = args === undefined ? [] : [["creation", "by the package's own code, proven"]];
  const rows = [...proven, ...flatten(settings)];
  const sentence = isCompared
    ? "Everything is as expected."
    : "The code is this package's; no setting was compared: pass the parameters that you expect.";
  const verdict = differences.length === 0 ? [sentence] : differences.map(({ text }) => printable(text));
  return [title, ...(rows.length === 0 ? [] : [table(rows)]), ...verdict].join("\n");
}
