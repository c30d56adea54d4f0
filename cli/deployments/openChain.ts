import type { Command } from "@commander-js/extra-typings";
import type { PublicClient } from "viem";
import { parserOf, readAmount, readChainId, readUrl } from "../flags/readFlags.ts";
import { emulatorFlag, openService, type Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";
import { type FlagsOf, withFlags } from "../terminal/runCommand.ts";

const readBlock = parserOf(/^\d{1,15}$/, "A block is a whole number, such as 23000000.", ([text]) =>
  BigInt(text),
);

/** Adds the flags that choose a chain and its node. */
export const nodeFlags = (command: Command) =>
  command
    .requiredOption("--chain <id>", "id of the chain; a node of another chain is refused", readChainId)
    .option("--rpc-url <url>", "the chain's node (default: that of --emulator or waybill.config.ts)", readUrl)
    .addOption(emulatorFlag("take node and key from the file of `waybill emulator --out`"))
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option("--from-block <number>", "first block to search for the contract's logs (default: 0)", readBlock);

/** Flags of commands that work on one chain. */
export type NodeOptions = FlagsOf<typeof nodeFlags>;

/** Adds the flags of a deployment. */
export const payFlags = (command: Command) =>
  withFlags(command, nodeFlags)
    .option(
      "--max-fee <amount>",
      "most native currency for the gas of the transaction (default: 0.1)",
      readAmount,
    )
    .option("--yes", "send the transaction without asking; without it, a dry run");

/** Flags of every deployment. */
export type DeployOptions = FlagsOf<typeof payFlags>;

/**
 * Opens the node of the chain that the flags name.
 *
 * @throws CommandError for a chain without a known node.
 */
export async function openChain(
  { chain, config, emulator, rpcUrl }: NodeOptions,
  signal: AbortSignal,
): Promise<{ readonly client: PublicClient; readonly service: Service; readonly url: string }> {
  const service = await openService({
    ...(config !== undefined && { config }),
    ...(emulator !== undefined && { emulator }),
  });
  const url = rpcUrl ?? service.rpcUrls.get(chain) ?? service.config.chains?.[chain]?.rpcUrl;
  if (url === undefined) {
    throw usageError(
      `Chain ${chain} has no known node: pass --rpc-url, or name one in \`chains\` of the configuration.`,
    );
  }
  const { createPublicClient } = await import("viem");
  const { nodeTransport } = await import("../settings/openNode.ts");
  const client = createPublicClient({ cacheTime: 0, transport: nodeTransport(url, { signal }) });
  return { client, service, url };
}
