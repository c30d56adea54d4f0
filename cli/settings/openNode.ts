import { createPublicClient, defineChain, http, type PublicClient } from "viem";
import type { ExternalChain } from "../../emulator/index.ts";
import { getChains } from "../../src/client/getChains.ts";
import { BaseError } from "../../src/errors/BaseError.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";
import { CommandError, exitCodes, usageError } from "../terminal/CommandError.ts";
import type { Service } from "./openService.ts";

/** Time limit of one call to a node, in milliseconds. */
const timeout = 15_000;

/** The transport of a node. */
export function nodeTransport(url: string, { retryCount = 1, signal }: NodeLimits = {}) {
  return http(url, { fetchOptions: signal ? { signal } : {}, retryCount, timeout });
}

type NodeLimits = { readonly retryCount?: number; readonly signal?: AbortSignal };

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
  const node = createPublicClient({ transport: nodeTransport(url) });
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

/**
 * Opens a chain's node for reading: the one that the user named, else the one that the service names.
 *
 * @throws CommandError for a chain without a known node. Reads throw `CHAIN_MISMATCH` for a node of another chain.
 */
export async function openReader(
  { client, rpcUrls }: Service,
  chainId: number,
  signal: AbortSignal,
): Promise<PublicClient> {
  const named = rpcUrls.get(chainId);
  const url =
    named ?? (await getChains(client, { signal })).chains.find(({ id }) => id === chainId)?.httpRpcUrl;
  if (url === undefined || url === null) {
    throw usageError(`Chain ${chainId} has no known node: name one in \`chains\` of the configuration.`);
  }
  // The chain's id lets every read compare it to the node's.
  return createPublicClient({ chain: chainOf(chainId), transport: nodeTransport(url, { signal }) });
}

/** A chain by its id alone. */
export function chainOf(id: number) {
  const nativeCurrency = { decimals: 18, name: "native", symbol: "native" };
  return defineChain({ id, name: `chain ${id}`, nativeCurrency, rpcUrls: { default: { http: [] } } });
}

/**
 * Compares a node's chain to the expected one.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH`; ChainReadFailedError
 */
export async function assertChain(client: PublicClient, chainId: number): Promise<void> {
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new ChainReadFailedError({ cause, operation: "reading the chain's id" });
  });
  if (actual === chainId) return;
  throw new BaseError(`The node is of chain ${actual}, and not of chain ${chainId}.`, {
    code: "CHAIN_MISMATCH",
  });
}
