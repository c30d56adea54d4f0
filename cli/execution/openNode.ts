import { createPublicClient, http, type PublicClient } from "viem";
import type { ExternalChain } from "../../emulator/index.ts";
import { boundedFetch } from "../settings/boundedFetch.ts";
import type { Service } from "../settings/openService.ts";
import { CommandError, usageError } from "../terminal/CommandError.ts";
import { exitCodes } from "../terminal/exitCodes.ts";

/** Time limit of one call to a node, in milliseconds. */
const timeout = 15_000;

/**
 * Opens the node that the user named for a chain. A node that the service names could lie about fees, nonces and receipts.
 *
 * @param named Nodes of `--rpc-url`.
 * @throws CommandError for a chain without a node, one that does not answer, and one of another chain.
 */
export async function openNode(
  { rpcUrls }: Pick<Service, "rpcUrls">,
  chainId: number,
  named: readonly ExternalChain[] = [],
): Promise<PublicClient> {
  const url = named.find(({ id }) => id === chainId)?.rpcUrl ?? rpcUrls.get(chainId);
  if (url === undefined) {
    throw usageError(
      `Chain ${chainId} needs a node of your own: --rpc-url ${chainId}=<url>, or \`chains\` of the configuration.`,
    );
  }
  const node = createPublicClient({
    transport: http(url, { fetchFn: boundedFetch, retryCount: 1, timeout }),
  });
  const actual = await node.getChainId().catch((cause: unknown) => {
    throw new CommandError(`The node of chain ${chainId} at ${new URL(url).host} does not answer.`, {
      cause,
      code: "CHAIN_UNREACHABLE",
      exitCode: exitCodes.unreachable,
    });
  });
  if (actual === chainId) return node;
  throw usageError(`The node at ${new URL(url).host} is of chain ${actual}, not of chain ${chainId}.`);
}
