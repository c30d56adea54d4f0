import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Address } from "viem";
import { type ContractName, contractNames } from "../../src/deployment/contracts.ts";
import { printable } from "../../src/errors/printable.ts";
import { table } from "../../src/internal/table.ts";
import { readAddressFlag } from "../flags/readFlags.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { type ExitCode, exitCodes, usageError } from "../terminal/CommandError.ts";
import { flatten } from "../terminal/flatten.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { type NodeOptions, nodeFlags, openChain } from "./openChain.ts";
import type { Settings } from "./readSettings.ts";
import type { VerifiedDeployment } from "./verifyDeployment.ts";

const expectFlags = (command: Command) =>
  command
    .option(
      "--parameters <file>",
      "constructor parameters by contract, which address and settings must follow from",
    )
    .option("--expect <file>", "expected settings: those that --json prints, or some of them; - reads stdin");

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
  waybill verify-deployment 0x49Bf… --chain 8453 --rpc-url https://node.example
  waybill verify-deployment 0x5Fb4… --chain 8453 --parameters receiver.json
  waybill verify-deployment 0x5Fb4… --chain 8453 --json > settings.json
  waybill verify-deployment 0x5Fb4… --chain 8453 --expect settings.json`,
    );
  return withWork(withFlags(withFlags(command, expectFlags), nodeFlags), run);
}

async function run(terminal: Terminal, options: Options, address: Address): Promise<ExitCode> {
  const { readParameters } = await import("./runDeployment.ts");
  const given = options.parameters;
  const parameters = given === undefined ? undefined : await readParameters(given);
  const saved = options.expect === undefined ? undefined : await readExpected(options.expect);
  const { initialSettings } = await import("./compareSettings.ts");
  const { verifyDeployment } = await import("./verifyDeployment.ts");
  const { client } = await openChain(options, terminal.signal);
  const expected = (contract: ContractName) => ({
    ...initialSettings(contract, parameters ?? {}),
    ...saved?.settings,
  });
  const verified = await verifyDeployment(client, {
    address,
    chainId: options.chain,
    contract: saved?.contract,
    expected,
    fromBlock: options.fromBlock,
    parameters,
  });
  const { contract } = verified;
  const isCompared = contract !== undefined && Object.keys(expected(contract)).length > 0;
  terminal.result({ ...verified, contract: contract ?? null }, textOf(verified, isCompared));
  return verified.differences.length === 0 ? exitCodes.ok : exitCodes.refused;
}

type Saved = { readonly contract?: ContractName | undefined; readonly settings: Settings };

/** Settings of a file: those of an earlier result with their contract, or a list of them alone. */
async function readExpected(file: string): Promise<Saved> {
  const value = await readJsonFile(file);
  const { contract, settings = value } = (isRecord(value) ? value : {}) as Partial<Saved>;
  if (isRecord(settings) && isSetting(settings) && Object.keys(settings).length > 0) {
    return { contract: contractNames.find((each) => each === contract), settings };
  }
  throw usageError(`${file} has no settings: save what --json prints.`);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSetting(value: unknown): value is Settings {
  return value !== null && (typeof value !== "object" || Object.values(value).every(isSetting));
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
    : "The code is this package's; no setting was compared: pass what you expect.";
  const verdict = differences.length === 0 ? [sentence] : differences.map(({ text }) => printable(text));
  return [title, ...(rows.length === 0 ? [] : [table(rows)]), ...verdict].join("\n");
}
