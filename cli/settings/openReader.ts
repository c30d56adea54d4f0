import { createPublicClient, defineChain, http, type PublicClient } from "viem";
import { getChains } from "../../src/client/getChains.ts";
import { usageError } from "../terminal/CommandError.ts";
import { boundedFetch } from "./boundedFetch.ts";
import type { Service } from "./openService.ts";

/** Time limit of one call to a node, in milliseconds. */
const timeout = 15_000;

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
  const transport = http(url, { fetchFn: boundedFetch, fetchOptions: { signal }, retryCount: 1, timeout });
  // The chain's id lets every read compare it to the node's.
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { decimals: 18, name: "native", symbol: "native" },
    rpcUrls: { default: { http: [url] } },
  });
  return createPublicClient({ chain, transport });
}
